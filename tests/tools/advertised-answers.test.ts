import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { DEMO_FAQ } from '../../src/demo/faq.ts';
import { skipOnServers } from '../support/app.ts';
import { demoApp } from '../support/demo.ts';
import { ingested } from '../support/knowledge.ts';
import { listTools, rpc } from './mcp-requests.ts';

const ESCALATED = { eventName: 'conversation_escalated', aggregation: 'count', dateFrom: '-7d' };

const QUESTIONS: [tool: string, args: object][] = [
  ['describe_workspace', {}],
  ['describe_workspace', { eventName: 'feedback_given' }],
  ['describe_workspace', { search: 'nothing like it' }],
  ['aggregate_events', { ...ESCALATED, compareTo: 'previous_period', group_by: 'reason' }],
  ['aggregate_events', { ...ESCALATED, dateGrouping: 'day', group_by: ['reason', 'plan'] }],
  [
    'aggregate_events',
    {
      eventName: 'conversation_started',
      aggregation: 'rate',
      numerator: { filters: [{ propertyKey: 'plan', operator: 'in', value: ['pro', 'enterprise'] }] },
      group_by: 'plan',
      compareTo: 'previous_period',
      dateFrom: '-7d',
    },
  ],
  ['aggregate_events', { eventName: 'never_recorded', aggregation: 'avg', propertyKey: 'x' }],
  ['query_events', { eventName: 'feedback_given', limit: 3 }],
  [
    'query_events',
    {
      eventName: 'feedback_given',
      mode: 'aggregate',
      groupBy: ['plan', 'topic'],
      filters: [{ propertyKey: 'score', operator: 'gt', value: 1 }],
    },
  ],
  ['query_events', { eventName: 'never_recorded' }],
  ['search_knowledge', { query: 'refund' }],
  ['search_knowledge', { query: 'qwertyuiop' }],
];

test('tools/call: answers satisfy the advertised output schemas', { skip: skipOnServers }, async (t) => {
  const app = await demoApp(t);
  await ingested(app, { name: 'faq.md', content: DEMO_FAQ }, { vectorStore: 'help' });
  const cards = await app.runtime.dashboards.cards(app.caller, {});
  const rendered = cards.map(({ id }): [string, object] => ['render_dashboard_card', { cardId: id }]);
  assert.ok(new Set(cards.map(({ cardType }) => cardType)).size >= 6, 'the demo has cards of most types');

  const validator = new AjvJsonSchemaValidator();
  const checks = new Map(
    (await listTools(app)).map((tool) => [tool.name, validator.getValidator(tool.outputSchema ?? {})] as const),
  );
  for (const [name, args] of [...QUESTIONS, ...rendered]) {
    const { result } = await rpc(app, 'tools/call', { name, arguments: args });
    const asked = `${name} ${JSON.stringify(args)}`;
    assert.equal(result.isError, undefined, `${asked}: ${result.content[0].text}`);
    assert.equal(checks.get(name)!(result.structuredContent).errorMessage, undefined, asked);
  }
});
