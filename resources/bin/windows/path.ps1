# Adds this folder to the PATH of the user, or of all users, or removes it. Other folders stay as they are, variables included.
param([ValidateSet("add", "remove")][string]$what, [ValidateSet("CurrentUser", "all")][string]$mode = "CurrentUser")
$folder = $PSScriptRoot
$key = if ($mode -eq "all") {
  [Microsoft.Win32.Registry]::LocalMachine.CreateSubKey("SYSTEM\CurrentControlSet\Control\Session Manager\Environment")
} else {
  [Microsoft.Win32.Registry]::CurrentUser.CreateSubKey("Environment")
}
$path = [string]$key.GetValue("Path", "", [Microsoft.Win32.RegistryValueOptions]::DoNotExpandEnvironmentNames)
$others = @($path.Split(";") | Where-Object { $_ -ne "" -and $_ -ne $folder })
$wanted = if ($what -eq "add") { $others + $folder } else { $others }
$key.SetValue("Path", ($wanted -join ";"), [Microsoft.Win32.RegistryValueKind]::ExpandString)
$key.Close()
# Tells the programs that run: terminals opened from now on see it.
[Environment]::SetEnvironmentVariable("ZENITH_DESK_PATH", $null, "User")
