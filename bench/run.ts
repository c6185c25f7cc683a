import { benchAlerts } from './alerts.ts';
import { benchAtOnce } from './at-once.ts';
import { benchChat } from './chat/chat.ts';
import { benchConnectors } from './connectors/connectors.ts';
import { benchDisks } from './disks.ts';
import { HELP, type Options, readOptions } from './events/options.ts';
import { benchEvents, parts } from './events/parts.ts';
import { benchExecutions } from './executions/executions.ts';
import { benchExplain } from './explain.ts';
import { benchFairness } from './fairness/fairness.ts';
import { benchFootprint } from './footprint.ts';
import { benchKnowledge, knowledgeParts } from './knowledge/knowledge.ts';
import { benchLargeAnswers } from './large-answers.ts';
import { benchLimits } from './limits.ts';
import { benchMcp } from './mcp.ts';
import { benchMcpLoad } from './mcp-load/mcp-load.ts';
import { benchOAuth } from './oauth.ts';
import { benchPictures } from './pictures.ts';
import { benchPng } from './png.ts';
import { benchPortal } from './portal.ts';
import { benchReviews } from './reviews/reviews.ts';
import { benchScale, scaleParts } from './scale/scale.ts';
import { benchStart } from './start.ts';

/** `npm run bench -- --help` lists the benches. Contenders of a ratio alternate in one run. */
const others: Record<string, (options: Options) => Promise<void>> = {
  mcp: benchMcp,
  'mcp-load': benchMcpLoad,
  oauth: benchOAuth,
  start: benchStart,
  png: benchPng,
  reviews: benchReviews,
  executions: benchExecutions,
  chat: benchChat,
  connectors: benchConnectors,
  fairness: benchFairness,
  portal: benchPortal,
  explain: benchExplain,
  alerts: benchAlerts,
  pictures: benchPictures,
  disks: benchDisks,
  'at-once': benchAtOnce,
  footprint: benchFootprint,
  'large-answers': benchLargeAnswers,
  limits: benchLimits,
};
const groups = { events: parts, knowledge: knowledgeParts, scale: scaleParts };
const known = [...Object.keys(others), ...Object.entries(groups).flatMap(([name, of]) => [name, ...Object.keys(of)])];

async function run(names: string[], options: Options): Promise<void> {
  const wanted = names.length > 0 ? names : ['mcp', 'ingest', 'start'];
  for (const [name, bench] of Object.entries(others)) if (wanted.includes(name)) await bench(options);
  const events = wanted.filter((name) => name in parts);
  const knowledge = wanted.filter((name) => name in knowledgeParts);
  const scale = wanted.filter((name) => name in scaleParts);
  if (wanted.includes('scale') || scale.length > 0) await benchScale(scale, options);
  if (wanted.includes('knowledge') || knowledge.length > 0) await benchKnowledge(knowledge, options);
  if (wanted.includes('events') || events.length > 0) await benchEvents(events, options);
}

function fail(message: string): void {
  console.error(`${message}\n\n${HELP}`);
  process.exitCode = 1;
}

try {
  const asked = readOptions(process.argv.slice(2));
  const unknown = asked?.names.filter((name) => !known.includes(name)) ?? [];
  if (asked === null) console.log(HELP);
  else if (unknown.length > 0) fail(`There is no bench ${unknown.join(', ')}.`);
  else await run(asked.names, asked.options);
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
