// Any command in a sandbox, and opaque bytes with it: here the package's own code-runner, which runs one program and asks for its
// tools in JSON lines on its descriptor 3. `node examples/relay.mjs`, after a build.
import { codeRunnerPath, readOnly, spawnIsolated } from 'wardenpool/executor';

const execution = spawnIsolated([codeRunnerPath()], { policy: readOnly(), limits: { wallMs: 30_000 } });
execution.stderr.pipe(process.stderr);

const VERSION = 'code-bridge-v1';
const send = (frame) => execution.protocol.write(`${JSON.stringify({ version: VERSION, ...frame })}\n`);

send({
  type: 'execute',
  executionId: 'example',
  code: "const { value } = await tools['math.double']({ value: 21 }); return value;",
  tools: [{ name: 'math.double' }],
  limits: { maxToolCalls: 1, maxResultBytes: 1_000, timeoutMs: 10_000 },
});

// Frames end with a newline and nothing else. node:readline would also split at U+2028, which a JSON text may contain.
async function* lines(stream) {
  let rest = Buffer.alloc(0);
  for await (const chunk of stream) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield rest.toString('utf8', 0, end);
      rest = rest.subarray(end + 1);
    }
  }
}

for await (const line of lines(execution.protocol)) {
  const frame = JSON.parse(line);
  if (frame.type === 'tool.call') {
    console.log('tool.call ', frame.name, JSON.stringify(frame.arguments));
    send({ type: 'tool.result', id: frame.id, ok: true, result: { value: frame.arguments.value * 2 } });
  } else if (frame.type === 'execution.result') {
    console.log('result    ', JSON.stringify(frame.ok ? frame.result : frame.error));
    execution.protocol.end();
  }
}

const { returncode, receipt } = await execution.wait();
console.log('returncode', returncode);
console.log('backend   ', receipt.backend.name, `as uid ${receipt.isolation.userId}`);
console.log('network   ', receipt.network.mode);
console.log('bytes     ', `${receipt.io.bytesIn} in, ${receipt.io.bytesOut} out`);
console.log(
  'outcome   ',
  `${receipt.outcome.kind}, containment confirmed: ${receipt.stop.containmentConfirmed}`,
);
