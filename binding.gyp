# Builds the addon (a shared object that Node loads) and two static-pie executables:
#   wardenpool-launcher  launcher + runner + engine, the process that sandboxes are cloned from
#   code-runner          runner + engine, a code-bridge-v1 peer for any launcher
{
  'variables': {
    'wasm': '<!(node -p "require.resolve(\'quickjs-wasi/quickjs.wasm\')")',
    'url_wasm': '<!(node -p "require.resolve(\'quickjs-wasi/url.so\')")',
    'generated': '<(SHARED_INTERMEDIATE_DIR)/engine',
    'train_engine%': '<!(node native/training/can_train.mjs)',
  },
  'target_defaults': {
    'includes': ['native/hardening.gypi'],
    'cflags': ['-Wall', '-Wextra', '-fvisibility=hidden'],
    'cflags_c': ['-std=gnu17'],
  },
  'targets': [
    {
      'target_name': 'wardenpool',
      'sources': ['<!@(node -p "require(\'fs\').readdirSync(\'native/addon\').filter(f => f.endsWith(\'.cc\')).map(f => \'native/addon/\' + f).join(\' \')")'],
      'include_dirs': ['<!(node -p "require(\'node-addon-api\').include_dir")', 'native'],
      # SWALLOW: in a thread that is being ended nothing can be thrown any more, which is no reason to abort the process.
      'defines': ['NAPI_VERSION=9', 'NODE_ADDON_API_CPP_EXCEPTIONS', 'NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS', '_GNU_SOURCE'],
      'cflags_cc': ['-std=c++20', '-fexceptions'],
      'cflags_cc!': ['-fno-exceptions', '-std=gnu++17', '-std=gnu++20'],
    },
    {
      # The WebAssembly of the engine and of its extension, as C.
      'target_name': 'engine-source',
      'type': 'none',
      'actions': [{
        'action_name': 'translate_engine',
        'inputs': ['native/engine/translate.mjs', 'native/engine/wasm2c.mjs', '<(wasm)'],
        'outputs': ['<(generated)/quickjs.c'],
        'action': ['node', 'native/engine/translate.mjs', '<(wasm)', '<(generated)'],
      }, {
        'action_name': 'translate_url_extension',
        'inputs': ['native/engine/translate_url.mjs', 'native/engine/wasm2c.mjs', 'native/engine/wasm_binary.mjs', '<(url_wasm)', '<(wasm)', '<(generated)/quickjs.c'],
        'outputs': ['<(generated)/url_module.c'],
        'action': ['node', 'native/engine/translate_url.mjs', '<(url_wasm)', '<(wasm)', '<(generated)'],
      }],
      'hard_dependency': 1,
      'direct_dependent_settings': { 'include_dirs': ['native/engine', '<(generated)'] },
    },
    {
      # What the engine is compiled from: the same C, and where the compiler can use it, a profile of what programs run.
      'target_name': 'engine-profile',
      'type': 'none',
      'dependencies': ['engine-source'],
      'hard_dependency': 1,
      'conditions': [
        ['train_engine==1', {
          'dependencies': ['training-runner'],
          'actions': [{
            'action_name': 'train_engine',
            'inputs': ['<(PRODUCT_DIR)/training-runner', 'native/training/train.mjs', '<!@(node -p "require(\'fs\').readdirSync(\'native/training/programs\').map(f => \'native/training/programs/\' + f).join(\' \')")'],
            'outputs': ['<(generated)/engine.c'],
            'action': ['node', 'native/training/train.mjs', '<(PRODUCT_DIR)/training-runner', '<(generated)/quickjs.gcda', '<(generated)/engine.c'],
          }],
        }, {
          'actions': [{
            'action_name': 'name_engine',
            'inputs': ['native/training/train.mjs'],
            'outputs': ['<(generated)/engine.c'],
            'action': ['node', 'native/training/train.mjs', '--untrained', '<(generated)/engine.c'],
          }],
        }],
      ],
    },
    {
      'target_name': 'engine',
      'type': 'static_library',
      'sources': ['<(generated)/engine.c'],
      'dependencies': ['engine-source', 'engine-profile'],
      'includes': ['native/engine.gypi'],
      'conditions': [['train_engine==1', { 'cflags': ['-fprofile-use', '-Werror=missing-profile'] }]],
    },
    {
      # Not trained: programs that read URLs spend little time there, and the others none.
      'target_name': 'url-extension',
      'type': 'static_library',
      'sources': ['<(generated)/url_module.c'],
      'dependencies': ['engine-source'],
      'includes': ['native/engine.gypi'],
      'cflags': ['-ffunction-sections'],
      'cflags!': ['-dumpdir', '<(generated)/', '-dumpbase', 'quickjs'],
    },
    {
      'target_name': 'runner',
      'type': 'static_library',
      'sources': ['<!@(node -p "[\'native/engine\', \'native/runner\'].flatMap(d => require(\'fs\').readdirSync(d).filter(f => f.endsWith(\'.c\') && ![\'code_runner.c\', \'command_line.c\'].includes(f)).map(f => d + \'/\' + f)).join(\' \')")'],
      'include_dirs': ['native/runner'],
      'defines': ['_GNU_SOURCE'],
      'dependencies': ['engine-source', 'url-extension'],
      'export_dependent_settings': ['engine-source'],
      'actions': [{
        'action_name': 'embed_bootstrap',
        # In the order in which they run.
        'variables': { 'scripts': [
          'native/runner/guest/intrinsics.js',
          'native/runner/guest/world.js',
          'native/runner/guest/web-idl.js',
          'native/runner/guest/binary.js',
          'native/runner/guest/search-params.js',
          'native/runner/guest/url.js',
          'native/runner/guest/inspect.js',
          'native/runner/guest/causes.js',
          'native/runner/guest/console.js',
          'native/runner/guest/tool-paths.js',
          'native/runner/guest/timers.js',
          'native/runner/guest/text-coding.js',
          'native/runner/guest/crypto.js',
          'native/runner/guest/performance.js',
          'native/runner/guest/structured-clone.js',
          'native/runner/guest/samples.js',
        ] },
        'inputs': ['native/runner/embed.mjs', '<@(scripts)'],
        'outputs': ['<(generated)/bootstrap_scripts.h'],
        'action': ['node', 'native/runner/embed.mjs', '<(generated)/bootstrap_scripts.h', '<@(scripts)'],
      }],
      'includes': ['native/executable.gypi'],
    },
    {
      'target_name': 'code-runner',
      'type': 'executable',
      'sources': ['native/runner/code_runner.c', 'native/runner/command_line.c'],
      'include_dirs': ['native/runner'],
      'defines': ['_GNU_SOURCE'],
      'dependencies': ['runner', 'engine'],
      'includes': ['native/executable.gypi'],
    },
    {
      'target_name': 'wardenpool-launcher',
      'type': 'executable',
      'sources': ['<!@(node -p "[\'native/launcher\', \'native/command\'].flatMap(d => require(\'fs\').readdirSync(d).filter(f => f.endsWith(\'.c\')).map(f => d + \'/\' + f)).join(\' \')")'],
      'include_dirs': ['native'],
      'defines': ['_GNU_SOURCE'],
      'dependencies': ['runner', 'engine'],
      'includes': ['native/executable.gypi'],
    },
    {
      # For tests: the launcher, with an attacker where a runner would be that was taken over. Not shipped.
      'target_name': 'probe-launcher',
      'type': 'executable',
      'sources': ['<!@(node -p "[\'native/launcher\', \'native/command\', \'native/probe/runner\'].flatMap(d => require(\'fs\').readdirSync(d).filter(f => f.endsWith(\'.c\')).map(f => d + \'/\' + f)).join(\' \')")'],
      'include_dirs': ['native', 'native/runner'],
      'defines': ['_GNU_SOURCE'],
      'ldflags': ['-Wl,--wrap=runner_execute,--wrap=runner_rehearse'],
      'dependencies': ['runner', 'engine'],
      'includes': ['native/executable.gypi'],
    },
    {
      # For tests: the same without seccomp filters, to attack what stands behind them. Not shipped.
      'target_name': 'probe-launcher-unfiltered',
      'type': 'executable',
      'sources': ['native/probe/without_filters.c', '<!@(node -p "[\'native/launcher\', \'native/command\', \'native/probe/runner\'].flatMap(d => require(\'fs\').readdirSync(d).filter(f => f.endsWith(\'.c\')).map(f => d + \'/\' + f)).join(\' \')")'],
      'include_dirs': ['native', 'native/runner'],
      'defines': ['_GNU_SOURCE'],
      'ldflags': ['-Wl,--wrap=runner_execute,--wrap=runner_rehearse,--wrap=install_filter'],
      'dependencies': ['runner', 'engine'],
      'includes': ['native/executable.gypi'],
    },
    {
      # For tests: the launcher, with calls that fail when a test says so. Not shipped.
      'target_name': 'faulty-launcher',
      'type': 'executable',
      'sources': ['native/faults/beside_executable.c', '<!@(node -p "[\'native/launcher\', \'native/command\'].flatMap(d => require(\'fs\').readdirSync(d).filter(f => f.endsWith(\'.c\')).map(f => d + \'/\' + f)).join(\' \')")'],
      'include_dirs': ['native'],
      'defines': ['_GNU_SOURCE'],
      'dependencies': ['runner', 'engine'],
      'includes': ['native/executable.gypi', 'native/faults.gypi'],
    },
    {
      # For tests: the addon, with calls that fail when a test says so. Not shipped, and no name that would be loaded for it.
      'target_name': 'faulty-addon',
      'type': 'shared_library',
      'product_prefix': '',
      'product_dir': '<(PRODUCT_DIR)',
      'sources': ['native/faults/from_environment.c', '<!@(node -p "require(\'fs\').readdirSync(\'native/addon\').filter(f => f.endsWith(\'.cc\')).map(f => \'native/addon/\' + f).join(\' \')")'],
      'include_dirs': ['<!(node -p "require(\'node-addon-api\').include_dir")', 'native'],
      'defines': ['NAPI_VERSION=9', 'NODE_ADDON_API_CPP_EXCEPTIONS', 'NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS', '_GNU_SOURCE'],
      'cflags_cc': ['-std=c++20', '-fexceptions'],
      'cflags_cc!': ['-fno-exceptions', '-std=gnu++17', '-std=gnu++20'],
      'includes': ['native/faults.gypi'],
    },
    {
      # For tests: a command that attacks the sandbox that it runs in. Not shipped.
      'target_name': 'probe-command',
      'type': 'executable',
      'sources': ['<!@(node -p "require(\'fs\').readdirSync(\'native/probe\').filter(f => f.endsWith(\'.c\') && f !== \'without_filters.c\').map(f => \'native/probe/\' + f).join(\' \')")'],
      'defines': ['_GNU_SOURCE'],
      'includes': ['native/executable.gypi'],
    },
    {
      # For tests: what a program would have that has broken the engine, as guest code. Not shipped.
      'target_name': 'corruption-module',
      'type': 'static_library',
      'sources': ['<(generated)/corruption_module.c'],
      'dependencies': ['engine-source'],
      'actions': [{
        'action_name': 'translate_corruption',
        'inputs': ['native/corruption/translate.mjs', 'native/engine/wasm2c.mjs', '<(generated)/quickjs.c'],
        'outputs': ['<(generated)/corruption_module.c'],
        'action': ['node', 'native/corruption/translate.mjs', '<(generated)/quickjs.h', '<(generated)'],
      }],
      'hard_dependency': 1,
      'includes': ['native/engine.gypi'],
      'cflags!': ['-dumpdir', '<(generated)/', '-dumpbase', 'quickjs'],
    },
    {
      # For tests: the stand-alone runner with a guest that can corrupt itself. Not shipped.
      'target_name': 'corrupt-runner',
      'type': 'executable',
      'sources': ['native/runner/code_runner.c', 'native/runner/command_line.c'],
      'include_dirs': ['native/runner'],
      'defines': ['_GNU_SOURCE'],
      'includes': ['native/corruption.gypi', 'native/executable.gypi'],
    },
    {
      # For tests: the launcher of such runners. Not shipped.
      'target_name': 'corrupt-launcher',
      'type': 'executable',
      'sources': ['<!@(node -p "[\'native/launcher\', \'native/command\'].flatMap(d => require(\'fs\').readdirSync(d).filter(f => f.endsWith(\'.c\')).map(f => d + \'/\' + f)).join(\' \')")'],
      'include_dirs': ['native', 'native/runner'],
      'defines': ['_GNU_SOURCE'],
      'includes': ['native/corruption.gypi', 'native/executable.gypi'],
    },
    {
      # For documentation and tests: the lists that the filters are made of, as JSON. Not shipped.
      'target_name': 'system-call-lists',
      'type': 'executable',
      'sources': ['native/calls/print_lists.c'],
      'include_dirs': ['native'],
      'defines': ['_GNU_SOURCE'],
      'includes': ['native/executable.gypi'],
    },
    {
      # For the benchmark: a host and zygote in one, without Node. Not shipped.
      'target_name': 'floor',
      'type': 'executable',
      'sources': ['<!@(node -p "[\'bench/floor\', \'native/launcher\'].flatMap(d => require(\'fs\').readdirSync(d).filter(f => f.endsWith(\'.c\')).map(f => d + \'/\' + f)).filter(f => f !== \'native/launcher/main.c\').join(\' \')")'],
      'include_dirs': ['native', 'native/runner'],
      'defines': ['_GNU_SOURCE', 'ZYGOTE_IS_HOST'],
      'dependencies': ['runner', 'engine'],
      'includes': ['native/executable.gypi'],
    },
  ],
  'conditions': [
    ['train_engine==1', {
      'targets': [
        {
          'target_name': 'engine-counting',
          'type': 'static_library',
          'sources': ['<(generated)/quickjs.c'],
          'dependencies': ['engine-source'],
          'includes': ['native/engine.gypi'],
          'cflags': ['-fprofile-generate', '-fprofile-update=single'],
        },
        {
          'target_name': 'training-runner',
          'type': 'executable',
          'sources': ['native/training/training_runner.c'],
          'include_dirs': ['native/runner'],
          'dependencies': ['runner', 'engine-counting'],
          'libraries': ['-lgcov'],
          'includes': ['native/executable.gypi'],
        },
      ],
    }],
  ],
}
