/** TokenCounts of a model call, or of all calls of an execution. Null: not said. */
export interface TokenCounts {
  /** Cached ones included. */
  inputTokens: number | null;
  /** Reasoning included. */
  outputTokens: number | null;
  totalTokens: number | null;
}

/** As providers name their counts: this server, OpenAI, Anthropic, Gemini and Bedrock. */
const NAMES = {
  input: ['inputTokens', 'prompt_tokens', 'input_tokens', 'promptTokenCount'],
  output: ['outputTokens', 'completion_tokens', 'output_tokens', 'candidatesTokenCount'],
  total: ['totalTokens', 'total_tokens', 'totalTokenCount'],
  cacheRead: ['cachedInputTokens', 'cache_read_input_tokens', 'cachedContentTokenCount', 'cacheReadInputTokens'],
  cacheWrite: ['cacheWriteTokens', 'cache_creation_input_tokens', 'cacheWriteInputTokens'],
  // Gemini counts these beside input and output.
  toolUse: ['toolUsePromptTokenCount'],
  thoughts: ['thoughtsTokenCount'],
};

/** Anthropic's and Bedrock's input is what was neither read from the cache nor written to it. */
const CACHED_APART = [
  ...['cache_read_input_tokens', 'cache_creation_input_tokens'],
  ...['cacheReadInputTokens', 'cacheWriteInputTokens'],
];

/** The sum of more over all steps would not be exact; larger counts are taken as not said. */
const MAX_TOKENS = 1e11;

export interface CountedUsage extends TokenCounts {
  cacheReadTokens: number | null;
  cacheWriteTokens: number | null;
}

/** The counts of a usage as its provider made it; each null where it has none. */
export function countsOf(usage: Record<string, unknown> | null): CountedUsage {
  const count = (names: readonly string[]) => (usage === null ? null : firstCount(usage, names));
  const cacheReadTokens = count(NAMES.cacheRead) ?? nestedCount(usage);
  const cacheWriteTokens = count(NAMES.cacheWrite);
  const isApart = usage !== null && CACHED_APART.some((name) => Object.hasOwn(usage, name));
  const cached = isApart ? (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0) : 0;
  const input = count(NAMES.input);
  const inputTokens = input === null ? null : input + cached + (count(NAMES.toolUse) ?? 0);
  const outputTokens = sumOf(count(NAMES.output), count(NAMES.thoughts));
  const sum = sumOf(inputTokens, outputTokens);
  return { inputTokens, outputTokens, totalTokens: count(NAMES.total) ?? sum, cacheReadTokens, cacheWriteTokens };
}

/** Null where both are. */
function sumOf(one: number | null, other: number | null): number | null {
  return one === null && other === null ? null : (one ?? 0) + (other ?? 0);
}

function firstCount(usage: Record<string, unknown>, names: readonly string[]): number | null {
  for (const name of names) {
    const value = usage[name];
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS) return value;
  }
  return null;
}

/** OpenAI's `prompt_tokens_details` and `input_tokens_details`. */
function nestedCount(usage: Record<string, unknown> | null): number | null {
  const details = usage?.prompt_tokens_details ?? usage?.input_tokens_details;
  if (typeof details !== 'object' || details === null) return null;
  return firstCount(details as Record<string, unknown>, ['cached_tokens']);
}
