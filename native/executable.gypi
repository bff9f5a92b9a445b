# The executables: position-independent and static, since a sandbox has no file system to load from.
{
  'cflags!': ['-fPIC', '-pthread'],
  'cflags': ['-fPIE', '-O2', '-ffunction-sections', '-fdata-sections'],
  'ldflags!': ['-rdynamic', '-pthread'],
  'ldflags': ['-static-pie', '-Wl,--gc-sections'],
}
