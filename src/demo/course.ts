import type { Arrival } from './arrivals.ts';
import type { Random } from './random.ts';
import {
  ADOPTION,
  CHANNELS,
  type Channel,
  type Ending,
  LANGUAGES,
  type Language,
  type Model,
  OUTAGE_EFFECTS,
  PAYS_BACK,
  PLANS,
  type Plan,
  REASONS,
  REPLIES,
  TOOL_FAILURE_ESCALATES,
  TOOL_SUCCEEDS,
  TOOLS,
  TOPICS,
  type Tool,
} from './story.ts';

export interface DemoToolCall {
  tool: Tool;
  success: boolean;
  durationMs: number;
}

export interface Course {
  ending: Ending;
  model: Model;
  replies: number;
  /** Before the first reply. */
  lookups: DemoToolCall[];
  /** Before the last reply. */
  payBacks: DemoToolCall[];
  reason: string;
}

/** The ending is drawn first, so that the story's rates are exact. */
export function drawCourse(arrival: Arrival, { plan }: Customer): Course {
  const { random, topic, struck } = arrival;
  const { tool, usesTool } = TOPICS[topic];
  const ending = endingOf(arrival, PLANS[plan].better);
  const lookups = random.chance(struck ? 1 : usesTool) ? drawCalls(tool, ending, arrival) : [];
  const paysBack = topic === 'refund' && random.chance(PAYS_BACK[ending]);
  const payBacks = paysBack ? drawCalls('issue_refund', ending, arrival) : [];
  const lastCall = [...lookups, ...payBacks].at(-1);
  return {
    ending,
    model: random.chance(adoption(arrival.daysBefore)) ? 'aurora-3' : 'aurora-2',
    replies: random.position(REPLIES[ending]) + 1,
    lookups,
    payBacks,
    reason: drawReason(arrival, lastCall?.success === false),
  };
}

function endingOf({ luck, topic, struck }: Arrival, better: number): Ending {
  const resolved = (struck ? OUTAGE_EFFECTS.resolved : TOPICS[topic].resolved) + better;
  const escalated = struck ? OUTAGE_EFFECTS.escalated : TOPICS[topic].escalated;
  if (luck < resolved) return 'resolved';
  return luck < resolved + (1 - resolved) * escalated ? 'escalated' : 'abandoned';
}

/** The last call of a resolved conversation succeeds. */
function drawCalls(tool: Tool, ending: Ending, { random, struck }: Arrival): DemoToolCall[] {
  const calls: DemoToolCall[] = [];
  do {
    calls.push(drawCall(tool, random, struck, struck ? OUTAGE_EFFECTS.toolSucceeds : TOOL_SUCCEEDS[ending]));
  } while (!calls.at(-1)?.success && random.chance(struck ? OUTAGE_EFFECTS.retried : 0));
  if (struck && ending === 'resolved' && !calls.at(-1)?.success) calls.push(drawCall(tool, random, struck, 1));
  return calls;
}

function drawCall(tool: Tool, random: Random, struck: boolean, succeeds: number): DemoToolCall {
  const success = random.chance(succeeds);
  const duration = struck && !success ? OUTAGE_EFFECTS.timeoutMs : TOOLS[tool].durationMs;
  return { tool, success, durationMs: Math.round(random.logNormal(duration)) };
}

function drawReason({ random, topic }: Arrival, toolFailed: boolean): string {
  if (toolFailed && random.chance(TOOL_FAILURE_ESCALATES)) return 'tool_failure';
  return random.key(TOPICS[topic].needsProvider ? REASONS.aboutMoney : REASONS.otherwise);
}

function adoption(daysBefore: number): number {
  const progress = (ADOPTION.begins - daysBefore) / (ADOPTION.begins - ADOPTION.ends);
  return ADOPTION.share * Math.min(1, Math.max(0, progress));
}

export interface Customer {
  plan: Plan;
  channel: Channel;
  language: Language;
  country: string;
  tenureMonths: number;
}

export function drawCustomer(random: Random): Customer {
  const plan = random.key(PLANS);
  const language = random.key(LANGUAGES);
  return {
    plan,
    channel: random.key(CHANNELS),
    language,
    country: random.key<string>(LANGUAGES[language].countries),
    tenureMonths: Math.min(84, Math.floor(random.logNormal({ median: PLANS[plan].tenureMonths, spread: 0.8 }))),
  };
}
