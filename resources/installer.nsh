; What the installer for Windows does beside copying files. Classes and PATH are the user's, or everybody's, as installed.

!macro zenithClass CLASS DESCRIPTION
  WriteRegStr SHELL_CONTEXT "Software\Classes\${CLASS}" "" "${DESCRIPTION}"
  WriteRegStr SHELL_CONTEXT "Software\Classes\${CLASS}\DefaultIcon" "" "$INSTDIR\${APP_EXECUTABLE_FILENAME},0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\${CLASS}\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
!macroend

!macro zenithPath WHAT
  nsExec::ExecToLog 'powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "$INSTDIR\resources\bin\path.ps1" ${WHAT} $installMode'
  Pop $0
!macroend

!macro customInstall
  !insertmacro zenithClass "ZenithDesk.nc" "NetCDF file"
  !insertmacro zenithClass "ZenithDesk.nc4" "NetCDF-4 file"
  !insertmacro zenithClass "ZenithDesk.zenith" "Zenith Desk views"
  ; Among the programs of “Open with”; whose files NetCDF files are, stays as it was.
  WriteRegNone SHELL_CONTEXT "Software\Classes\.nc\OpenWithProgids" "ZenithDesk.nc"
  WriteRegNone SHELL_CONTEXT "Software\Classes\.nc4\OpenWithProgids" "ZenithDesk.nc4"
  WriteRegNone SHELL_CONTEXT "Software\Classes\.zenith\OpenWithProgids" "ZenithDesk.zenith"
  WriteRegStr SHELL_CONTEXT "Software\Classes\.zenith" "" "ZenithDesk.zenith"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
  !insertmacro zenithPath add
  ; The installer copies itself there for updates by the program, which makes none.
  SetShellVarContext current
  Delete "$LOCALAPPDATA\${APP_INSTALLER_STORE_FILE}"
  RMDir "$LOCALAPPDATA\zenith-desk-updater"
  ${if} $installMode == "all"
    SetShellVarContext all
  ${endif}
!macroend

!macro customUnInstall
  !insertmacro zenithPath remove
  DeleteRegKey SHELL_CONTEXT "Software\Classes\ZenithDesk.nc"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\ZenithDesk.nc4"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\ZenithDesk.zenith"
  DeleteRegValue SHELL_CONTEXT "Software\Classes\.nc\OpenWithProgids" "ZenithDesk.nc"
  DeleteRegValue SHELL_CONTEXT "Software\Classes\.nc4\OpenWithProgids" "ZenithDesk.nc4"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\.zenith"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend
