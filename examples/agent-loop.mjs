// A model that writes programs, told what came of each until one is right. Its replies are recorded: the first misspells a
// tool, and the second has read what it was told. `node examples/agent-loop.mjs`, after a build.
import { createPool, describeResult, describeTools, tool } from 'wardenpool';

const tools = {
  'weather.forecast': tool({
    description: 'The forecast for a city, in degrees Celsius.',
    effect: 'read',
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
    execute: ({ city }) => ({ city, degrees: { Oslo: 4, Rome: 19 }[city] ?? 12 }),
  }),
};

const recordedReplies = [
  `Here is a program for that:

\`\`\`js
const cities = ['Oslo', 'Rome'];
const forecasts = await Promise.all(cities.map((city) => tools.weather.forcast({ city })));
return forecasts.sort((a, b) => b.degrees - a.degrees)[0];
\`\`\``,
  `The tool is called weather.forecast:

\`\`\`js
const cities = ['Oslo', 'Rome'];
const forecasts = await Promise.all(cities.map((city) => tools.weather.forecast({ city })));
return forecasts.sort((a, b) => b.degrees - a.degrees)[0];
\`\`\``,
];

/** Where a real one asks its model. It is given the whole conversation. */
const askModel = async (messages) =>
  recordedReplies[messages.filter(({ role }) => role === 'assistant').length];

const messages = [
  {
    role: 'system',
    content: `Answer with one JavaScript program in a fence. It may call these tools:\n\n${describeTools(tools)}`,
  },
  { role: 'user', content: 'Which is warmer, Oslo or Rome?' },
];

const pool = await createPool({ threads: 1 });
try {
  const attempts = 3;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const reply = await askModel(messages);
    // The reply as it came: fences and prose are taken off.
    const run = await pool.run(reply, tools, { limits: { timeoutMs: 10_000 } });
    const report = describeResult(run, { maxBytes: 4_000 });
    console.log(`--- attempt ${attempt}\n${report}`);
    messages.push({ role: 'assistant', content: reply }, { role: 'user', content: report });
    if (run.ok) break;
    if (attempt === attempts) process.exitCode = 1;
  }
} finally {
  await pool.close();
}
