import { rareTest } from '../support/rare.ts';
import { converse, inspector, LEGACY, MODERN, seededApp, seededDirectory, startAnswering } from './support.ts';

// Each question starts a process, so each era uses one endpoint only.

rareTest('MCP Inspector: right answers over Streamable HTTP in the legacy era', async (t) => {
  const { url, key } = await seededApp(t);
  await converse(await inspector('legacy')(t, { kind: 'http', url: `${url}/mcp`, key }), LEGACY);
});

rareTest('MCP Inspector: right answers over stdio in the modern era, with another client', async (t) => {
  const { dataDir, key } = await seededDirectory(t);
  const env = { AGENT_RUNTIME_DATA_DIR: dataDir, AGENT_RUNTIME_API_KEY: key };
  await startAnswering(t, env);
  await converse(await inspector('modern')(t, { kind: 'stdio', env }), MODERN);
});
