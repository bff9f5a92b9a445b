# A runner whose guest can corrupt itself: functions of the runner are given way to ours by the linker alone.
{
  'sources': ['corruption/corruption.c', 'corruption/watch.c'],
  'dependencies': ['runner', 'engine', 'corruption-module'],
  'ldflags': [
    '-Wl,--wrap=host_functions_call',
    '-Wl,--wrap=tool_calls_start',
    '-Wl,--wrap=wasm_runtime_reserve',
    '-Wl,--wrap=bridge_receive_execution',
    '-Wl,--wrap=terminal_frame_send',
  ],
}
