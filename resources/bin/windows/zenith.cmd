@rem The command line of an installed Zenith Desk: the program itself, without a window.
@"%~dp0..\..\Zenith Desk.exe" --disable-gpu --js-flags=--max-semi-space-size=2 --cli -- %*
