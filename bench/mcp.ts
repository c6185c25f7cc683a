import { agentOf, alternate, post, row, serve, timeCalls } from './support.ts';

/** The cost of MCP: a KPI over /mcp and over REST, and a no-op tool against a bare Express POST. */
export async function benchMcp(): Promise<void> {
  const agent = agentOf(16);
  const product = await serve('product');
  const headers = { 'x-api-key': product.key };
  const events = Array.from({ length: 5_000 }, (_, index) => ({ eventName: 'a', properties: { amount: index } }));
  for (let batch = 0; batch < 10; batch++) {
    await post(agent, `${product.url}/api/v1/runtime/v1/observability/events`, JSON.stringify({ events }), headers);
  }
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const question = { eventName: 'a', dateFrom: '-7d' };
  const rest = JSON.stringify({
    ...question,
    mode: 'aggregate',
    metrics: [{ aggregation: 'sum', propertyKey: 'amount', alias: 'value' }],
  });
  const restCall = () => post(agent, `${product.url}/api/v1/runtime/v1/observability/events/query`, rest, headers);
  const tool = { name: 'aggregate_events', arguments: { ...question, aggregation: 'sum', propertyKey: 'amount' } };
  const mcpCall = () => post(agent, `${product.url}/mcp`, call(tool), { ...headers, ...mcpHeaders });
  for (const concurrency of [1, 8]) {
    const best = await alternate(6, {
      rest: () => timeCalls(150, concurrency, restCall),
      mcp: () => timeCalls(150, concurrency, mcpCall),
    });
    row(
      `aggregate_events over /mcp, ${concurrency} at a time: ${best.mcp.toFixed(2)} ms, REST ${best.rest.toFixed(2)} ms`,
      `${(best.mcp / best.rest).toFixed(2)} x REST`,
      '<= 2 x',
    );
  }
  row('key check', `${(await product.ask<number>('keys')).toFixed(1)} microseconds`, '<= 50 microseconds');
  await product.stop();

  const noop = await serve('noop');
  const bareCall = () => post(agent, `${noop.url}/bare`, JSON.stringify({ text: 'x' }));
  const noopCall = () =>
    post(agent, `${noop.url}/mcp`, call({ name: 'noop', arguments: { text: 'x' } }), {
      'x-api-key': noop.key,
      ...mcpHeaders,
    });
  for (const concurrency of [1, 16]) {
    const best = await alternate(8, {
      bare: () => timeCalls(500, concurrency, bareCall),
      noop: () => timeCalls(500, concurrency, noopCall),
    });
    row(
      `no-op tool, ${concurrency} at a time: ${best.noop.toFixed(3)} ms, bare POST ${best.bare.toFixed(3)} ms`,
      `${(best.noop / best.bare).toFixed(2)} x bare`,
      '<= 6 x',
    );
  }
  await noop.stop();
  agent.destroy();
}

const mcpHeaders = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };

function call(params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}
