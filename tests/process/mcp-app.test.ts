import assert from 'node:assert/strict';
import { createKey, newDataDirectory, startMcp, startServer } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { CARDS } from '../tools/workspace-support.ts';

rareTest('mcp: pictures and the view of an MCP App pass the bridge and a data directory', async (t) => {
  const dataDir = newDataDirectory(t);
  const server = await startServer(t, dataDir);
  const { key } = await createKey(dataDir);
  const { body } = await server.request(key, 'POST', CARDS, {
    title: 'Sales',
    cardType: 'number',
    config: { eventName: 'sale', aggregation: 'count' },
  });
  const converse = async (args: string[]) => {
    const { client, end } = await startMcp(t, dataDir, key, { args });
    assert.deepEqual(client.getServerCapabilities()?.extensions?.['io.modelcontextprotocol/ui'], {});
    const { tools } = await client.listTools();
    const uri = tools.find(({ name }) => name === 'render_dashboard_card')?._meta?.['ui/resourceUri'] as string;
    const [view] = (await client.readResource({ uri })).contents;
    assert.deepEqual(
      [view!.mimeType, view!._meta],
      ['text/html;profile=mcp-app', { ui: { csp: {}, prefersBorder: true } }],
    );
    const input = { cardId: body.id, picture: true };
    const { content } = await client.callTool({ name: 'render_dashboard_card', arguments: input });
    assert.deepEqual(
      content.map(({ type }) => type),
      ['text', 'image'],
    );
    const [picture] = (await client.readResource({ uri: `card://${body.id}.png` })).contents;
    assert.match((picture as { blob: string }).blob, /^iVBORw0KGgo/);
    await end('SIGTERM');
  };
  await converse(['--url', server.url]);
  await server.end('SIGTERM');
  await converse([]);
});
