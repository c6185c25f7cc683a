/** `custom`: any server with OpenAI's API. */
export const VENDORS = ['openai', 'anthropic', 'bedrock', 'groq', 'gemini', 'xai', 'custom'] as const;
export type Vendor = (typeof VENDORS)[number];

export const SERVER_TOOLS = ['web_search', 'code_execution'] as const;
export type ServerTool = (typeof SERVER_TOOLS)[number];

export type ThinkingStyle =
  | 'effort'
  | 'budget'
  /** The model decides, within an effort (Anthropic since 4.6). */
  | 'adaptive'
  | 'none';

export const HAS_CHAT_COMPLETIONS = new Set<Vendor>(['openai', 'groq', 'xai', 'custom']);

export interface Capabilities {
  temperature: boolean;
  topP: boolean;
  frequencyPenalty: boolean;
  presencePenalty: boolean;
  seed: boolean;
  /** The provider's maximum; beyond it, the runtime cuts the answer. */
  stop: number;
  tools: boolean;
  responseFormats: readonly ('json_object' | 'json_schema')[];
  serverTools: readonly ServerTool[];
  /** `inline`: the provider fetches no addresses, so the runtime does. */
  images: 'any' | 'inline' | 'none';
  files: boolean;
  thinking: ThinkingStyle;
  /** Per answer; lowers a larger maxTokens. Null: unknown. */
  maxOutputTokens: number | null;
  maxTokensName: 'max_completion_tokens' | 'max_tokens';
  /** Whether it accepts `stream_options`. */
  streamUsage: boolean;
}

export interface ModelChoice {
  provider: Vendor;
  model: string;
  legacy: boolean;
  isPrivate?: boolean;
}

export function capabilitiesOf(
  { provider, model, legacy, isPrivate = false }: ModelChoice,
  overrides: Partial<Capabilities> = {},
): Capabilities {
  const base = provider === 'openai' && legacy ? EVERYTHING : BY_PROVIDER[provider];
  const rules = RULES[provider].filter(({ models }) => models.test(model)).map(({ can }) => can);
  const known: Capabilities = Object.assign({}, base, ...rules);
  // SSRF guard: callers could make the server fetch from its own network.
  if (isPrivate && known.images === 'any') known.images = 'inline';
  return { ...known, ...overrides };
}

const EVERYTHING: Capabilities = {
  temperature: true,
  topP: true,
  frequencyPenalty: true,
  presencePenalty: true,
  seed: true,
  stop: 4,
  tools: true,
  responseFormats: ['json_object', 'json_schema'],
  serverTools: [],
  images: 'any',
  files: true,
  thinking: 'none',
  maxOutputTokens: null,
  maxTokensName: 'max_completion_tokens',
  streamUsage: true,
};

const NO_PENALTIES = { frequencyPenalty: false, presencePenalty: false };
const NO_SAMPLING = { temperature: false, topP: false, ...NO_PENALTIES };

/** From the vendors' API references, November 2026. */
const BY_PROVIDER: Record<Vendor, Capabilities> = {
  openai: { ...EVERYTHING, ...NO_PENALTIES, seed: false, stop: 0, serverTools: ['web_search', 'code_execution'] },
  anthropic: {
    ...EVERYTHING,
    ...NO_PENALTIES,
    seed: false,
    stop: 16,
    responseFormats: ['json_schema'],
    serverTools: ['web_search', 'code_execution'],
  },
  bedrock: { ...EVERYTHING, ...NO_PENALTIES, seed: false, responseFormats: ['json_schema'], images: 'inline' },
  groq: { ...EVERYTHING, ...NO_PENALTIES, files: false },
  gemini: {
    ...EVERYTHING,
    stop: 5,
    images: 'inline',
    serverTools: ['web_search', 'code_execution'],
    maxOutputTokens: 65_536,
  },
  xai: { ...EVERYTHING, files: false },
  // The server refuses what it does not support. Many fetch no images.
  custom: { ...EVERYTHING, images: 'inline', thinking: 'effort', maxTokensName: 'max_tokens' },
};

interface Rule {
  models: RegExp;
  can: Partial<Capabilities>;
}

/** Later rules override earlier ones. */
const CLAUDE: Rule[] = [
  { models: /claude-3-(opus|sonnet|haiku)/, can: { maxOutputTokens: 4_096, responseFormats: [], serverTools: [] } },
  { models: /claude-3-5-/, can: { maxOutputTokens: 8_192, responseFormats: [] } },
  { models: /claude-3-7-/, can: { maxOutputTokens: 64_000, thinking: 'budget', responseFormats: [] } },
  { models: /claude-(opus|sonnet|haiku)-4/, can: { maxOutputTokens: 64_000, thinking: 'budget' } },
  { models: /claude-(opus|sonnet)-4(-0|-1)?(-2025|$|@)/, can: { responseFormats: [] } },
  { models: /claude-opus-4(-0|-1)?(-2025|$|@)/, can: { maxOutputTokens: 32_000 } },
  { models: /claude-(opus|sonnet|haiku)-4-[6-9]/, can: { maxOutputTokens: 128_000, thinking: 'adaptive' } },
  { models: /claude-(opus|sonnet|haiku)-4-[7-9]/, can: NO_SAMPLING },
  {
    models: /claude-([a-z]+-)?([5-9]|\d\d)\b/,
    can: { ...NO_SAMPLING, maxOutputTokens: 128_000, thinking: 'adaptive' },
  },
];

const RULES: Record<Vendor, Rule[]> = {
  openai: [
    {
      models: /^(ft:)?(o\d|gpt-[5-9])/,
      can: { ...NO_SAMPLING, stop: 0, thinking: 'effort', maxOutputTokens: 128_000 },
    },
    { models: /^(ft:)?o\d/, can: { maxOutputTokens: 100_000 } },
    { models: /^gpt-5(\.\d)?-chat/, can: { thinking: 'none', maxOutputTokens: 16_384 } },
    { models: /^(ft:)?gpt-4o/, can: { maxOutputTokens: 16_384 } },
    { models: /^(ft:)?gpt-4\.1/, can: { maxOutputTokens: 32_768 } },
  ],
  anthropic: CLAUDE,
  bedrock: CLAUDE,
  groq: [{ models: /gpt-oss|qwen3/, can: { thinking: 'effort' } }],
  gemini: [
    { models: /gemini-(1|2\.0)/, can: { maxOutputTokens: 8_192 } },
    { models: /gemini-2\.5/, can: { thinking: 'budget' } },
    { models: /gemini-([3-9]|\d\d)/, can: { thinking: 'effort' } },
  ],
  xai: [
    { models: /^grok-(4|[5-9]|code)/, can: { ...NO_PENALTIES, stop: 0 } },
    { models: /^grok-(4\.[3-9]|[5-9])/, can: { thinking: 'effort' } },
    { models: /^grok-3-mini/, can: { ...NO_PENALTIES, stop: 0, thinking: 'effort' } },
  ],
  custom: [],
};
