import type { LogNormal } from './random.ts';

/* The support desk in numbers. The payment provider fails a few days before now. */

/** Conversations of an ordinary working day now. */
export const VOLUME = 83;

/** Days in which the volume grows by the factor e: by 40 percent in 90 days. */
export const GROWTH_DAYS = 270;

/** Standard deviation of the daily volume. */
export const DAILY_NOISE = 0.05;

/** From Sunday on, as in Date. */
export const WEEKDAY_VOLUME = [0.46, 1.12, 1.06, 1, 0.99, 0.93, 0.54];

/** São Paulo, without summer time since 2019. */
export const UTC_OFFSET_HOURS = -3;

/** Percent of a day's conversations by hour of local time. */
export const HOURS = [
  0.9, 0.6, 0.4, 0.3, 0.3, 0.5, 1, 2, 4.5, 8, 9.5, 9, 7, 7.5, 9, 9, 8.5, 7, 4.5, 3.5, 2.8, 2.2, 1.6, 1.2,
];

/** Relative to the UTC midnight of today. */
export const OUTAGE = { from: { daysBefore: 4, hour: 9 }, to: { daysBefore: 2, hour: 18 } };

/** All but the latency concern only topics that need the provider. */
export const OUTAGE_EFFECTS = {
  volume: 3,
  resolved: 0.25,
  escalated: 0.85,
  toolSucceeds: 0.12,
  retried: 0.55,
  timeoutMs: { median: 8_000, spread: 0.15 },
  latency: 2.1,
};

/** `escalated`: share of the unresolved. `usesTool`: share of all. */
export const TOPICS = {
  billing: { share: 14, resolved: 0.82, escalated: 0.45, tool: 'lookup_order', usesTool: 0.7, needsProvider: true },
  login: { share: 18, resolved: 0.9, escalated: 0.4, tool: 'reset_password', usesTool: 0.75, needsProvider: false },
  shipping: { share: 20, resolved: 0.84, escalated: 0.35, tool: 'lookup_order', usesTool: 0.8, needsProvider: false },
  refund: { share: 9, resolved: 0.73, escalated: 0.75, tool: 'lookup_order', usesTool: 0.9, needsProvider: true },
  bug: { share: 12, resolved: 0.68, escalated: 0.85, tool: 'search_help', usesTool: 0.6, needsProvider: false },
  how_to: { share: 27, resolved: 0.91, escalated: 0.3, tool: 'search_help', usesTool: 0.65, needsProvider: false },
} as const;
export type Topic = keyof typeof TOPICS;

/** `better` is added to the topic's `resolved`. */
export const PLANS = {
  free: { share: 50, better: -0.015, refund: 19, tenureMonths: 5 },
  pro: { share: 35, better: 0, refund: 49, tenureMonths: 14 },
  enterprise: { share: 15, better: 0.055, refund: 260, tenureMonths: 26 },
} as const;
export type Plan = keyof typeof PLANS;

export const CHANNELS = {
  web: { share: 50, pauseMinutes: { median: 2.2, spread: 0.7 } },
  whatsapp: { share: 32, pauseMinutes: { median: 4, spread: 0.8 } },
  email: { share: 18, pauseMinutes: { median: 17, spread: 0.8 } },
} as const;
export type Channel = keyof typeof CHANNELS;

export const LANGUAGES = {
  pt: { share: 52, countries: { BR: 90, PT: 10 } },
  en: { share: 29, countries: { US: 60, GB: 20, CA: 12, IE: 8 } },
  es: { share: 19, countries: { MX: 35, AR: 30, CL: 20, ES: 15 } },
} as const;
export type Language = keyof typeof LANGUAGES;

/** Prices in US dollars for a million tokens. */
export const MODELS = {
  'aurora-2': { latencyMs: { median: 1_750, spread: 0.45 }, price: { input: 2.5, output: 10 } },
  'aurora-3': { latencyMs: { median: 1_400, spread: 0.45 }, price: { input: 1.8, output: 7 } },
} as const;
export type Model = keyof typeof MODELS;

/** Days before now between which the share of the newer model grows. */
export const ADOPTION = { begins: 30, ends: 12, share: 0.95 };

export const TOKENS = {
  instructions: 900,
  message: { median: 260, spread: 0.4 },
  output: { median: 170, spread: 0.5 },
};

export const TOOLS = {
  lookup_order: { durationMs: { median: 320, spread: 0.5 } },
  reset_password: { durationMs: { median: 480, spread: 0.4 } },
  search_help: { durationMs: { median: 190, spread: 0.5 } },
  issue_refund: { durationMs: { median: 900, spread: 0.4 } },
} as const;
export type Tool = keyof typeof TOOLS;

export type Ending = 'resolved' | 'escalated' | 'abandoned';

/** Outside the outage. */
export const TOOL_SUCCEEDS: Record<Ending, number> = { resolved: 0.99, escalated: 0.86, abandoned: 0.93 };

export const PAYS_BACK: Record<Ending, number> = { resolved: 0.62, escalated: 0.3, abandoned: 0.05 };

export const REFUND: { spread: number; cents: readonly [number, ...number[]] } = {
  spread: 0.5,
  cents: [0, 50, 90, 99],
};

/** Frequencies of 1, 2, 3, ... replies. */
export const REPLIES: Record<Ending, number[]> = {
  resolved: [32, 34, 20, 10, 4],
  escalated: [12, 30, 30, 18, 10],
  abandoned: [55, 30, 15],
};

export const TOOL_FAILURE_ESCALATES = 0.9;
export const REASONS = {
  aboutMoney: { no_answer: 25, customer_asked: 30, policy: 45 },
  otherwise: { no_answer: 58, customer_asked: 34, policy: 8 },
};

/** `SCORES`: frequencies of the scores 1 to 5. */
export const FEEDBACK_GIVEN: Record<Ending | 'duringOutage', number> = {
  resolved: 0.3,
  escalated: 0.24,
  abandoned: 0.04,
  duringOutage: 0.4,
};
export const SCORES: Record<Ending | 'duringOutage', number[]> = {
  resolved: [2, 3, 9, 30, 56],
  escalated: [22, 24, 27, 17, 10],
  abandoned: [30, 30, 25, 10, 5],
  duringOutage: [52, 25, 14, 6, 3],
};
export const COMMENTED = 0.3;
export const FEEDBACK_DELAY_MINUTES: LogNormal = { median: 3, spread: 0.8 };
