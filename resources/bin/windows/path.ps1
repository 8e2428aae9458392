# Adds this folder to the PATH of the user, or takes it away. What else is in there stays as it is, variables included.
param([ValidateSet("add", "remove")][string]$what)
$folder = $PSScriptRoot
$key = [Microsoft.Win32.Registry]::CurrentUser.CreateSubKey("Environment")
$path = [string]$key.GetValue("Path", "", [Microsoft.Win32.RegistryValueOptions]::DoNotExpandEnvironmentNames)
$others = @($path.Split(";") | Where-Object { $_ -ne "" -and $_ -ne $folder })
$wanted = if ($what -eq "add") { $others + $folder } else { $others }
$key.SetValue("Path", ($wanted -join ";"), [Microsoft.Win32.RegistryValueKind]::ExpandString)
$key.Close()
# Tells the programs that run: terminals opened from now on see it.
[Environment]::SetEnvironmentVariable("ZENITH_DESK_PATH", $null, "User")
