import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestApp } from '../../support/app.ts';
import { sharedApp } from '../support.ts';
import { Bm25 } from './bm25.ts';
import { OTHER_SERVERS, type Server } from './other-servers.ts';

/*
 * A host that defers tools: it knows names, titles, descriptions and instructions, and loads the tools
 * that a search finds. What people ask must find the right tool, though other servers compete.
 */

const QUESTIONS: [question: string, tool: string][] = [
  ['How many orders did we get yesterday?', 'aggregate_events'],
  ['why is churn up', 'explain_change'],
  ['what explains the drop in revenue', 'explain_change'],
  ['What was our revenue last month compared with the month before?', 'aggregate_events'],
  ['conversion rate from signup to purchase by plan', 'aggregate_events'],
  ['what is the average response time per week', 'aggregate_events'],
  ['number of distinct users who were active in the last 30 days', 'aggregate_events'],
  ['did the resolution rate fall this week?', 'aggregate_events'],
  ['show the weekly trend of refunds', 'aggregate_events'],
  ["compare this week's signups with last week's", 'aggregate_events'],
  ['list the latest failed payments', 'query_events'],
  ['show me the ten most recent purchases with amount and plan', 'query_events'],
  ['a table of tickets with several metrics per team', 'query_events'],
  ['show single events with a score below 2', 'query_events'],
  ['retention of signups by weekly cohort', 'query_events'],
  ['show retention: who comes back after the first order', 'query_events'],
  ['what can I ask about here?', 'describe_workspace'],
  ['which events and properties do we track', 'describe_workspace'],
  ['what dashboards do we have', 'describe_workspace'],
  ['show me the sales dashboard', 'render_dashboard_card'],
  ['draw the chart of the signup funnel card', 'render_dashboard_card'],
  ['what does our refund policy say', 'search_knowledge'],
  ['is there anything about holidays in the handbook', 'search_knowledge'],
  ['which agent runs failed yesterday', 'search_executions'],
  ['find the slow conversations of a user', 'search_executions'],
  ['show the messages and steps of one run', 'get_execution'],
  ['tell the team that you could not answer this question', 'report_gap'],
  ['define a metric for the resolution rate so that everyone uses the same', 'propose_metric'],
  ['record that I promised a refund', 'track_event'],
  ['mark release 2.3 on the charts', 'create_annotation'],
  ['build a dashboard card for orders by plan', 'save_card'],
  ['put a new chart of refunds on the dashboard', 'save_card'],
  ['change the title and config of this card', 'save_card'],
  ['arrange the cards of the sales tab', 'save_tab'],
  ['make a new dashboard tab', 'save_tab'],
  ['delete the dashboard card that nobody looks at', 'delete_card'],
  ['notify me by e-mail when orders fall below 100', 'create_alert'],
];

/** They belong to other servers: our words must not swallow everything. */
const OTHER_QUESTIONS: [question: string, tool: string][] = [
  ['find open issues about the login bug', 'search_issues'],
  ['send a message to the support channel', 'send_message'],
  ['what is on my calendar tomorrow', 'list_events'],
  ['read the file config.yaml', 'read_file'],
  ['run a SQL query against the users table', 'query'],
  ['list the pull requests that wait for my review', 'list_pull_requests'],
];

test('Tool search: each question finds its tool first among those of other servers', async (t) => {
  const index = indexOf([await described(await sharedApp()), ...OTHER_SERVERS]);
  const wrong = [...QUESTIONS, ...OTHER_QUESTIONS].flatMap(([question, tool]) => {
    const [first, second] = index.rank(question);
    if (first!.name === tool && first!.score > second!.score) return [];
    return [
      `"${question}": ${first!.name} ${first!.score.toFixed(2)}, ${second!.name} ${second!.score.toFixed(2)}, not ${tool}`,
    ];
  });
  t.diagnostic(
    `${QUESTIONS.length + OTHER_QUESTIONS.length - wrong.length} of ${QUESTIONS.length + OTHER_QUESTIONS.length} found`,
  );
  assert.deepEqual(wrong, []);
});

test('Tool search: without the instructions some questions find another tool', async () => {
  const { instructions: _, ...server } = await described(await sharedApp());
  const index = indexOf([server, ...OTHER_SERVERS]);
  assert.ok(QUESTIONS.some(([question, tool]) => index.rank(question)[0]!.name !== tool));
});

/** Over the wire, as a host sees it. */
async function described(app: TestApp): Promise<Server> {
  const client = await app.mcpClient(await app.newKey());
  const { tools } = await client.listTools();
  return { name: 'agent-runtime', instructions: client.getInstructions() ?? '', tools };
}

function indexOf(servers: Server[]): Bm25<string> {
  return new Bm25(
    servers.flatMap((server) => server.tools.map((tool) => [tool.name, textOf(server, tool)] as [string, string])),
  );
}

/** A line of the instructions belongs to the tool that it names first, or to all tools. */
function textOf({ instructions = '', tools }: Server, { name, title = '', description = '' }: Server['tools'][number]) {
  const lines = instructions.split('\n').filter((line) => {
    const named = tools.find((tool) => new RegExp(`^\\W*(\\d+\\. )?${tool.name}\\b`).test(line));
    return named === undefined || named.name === name;
  });
  return [name, title, description, ...lines].join('\n');
}
