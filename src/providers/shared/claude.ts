import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { type ProviderCall, refused, type Warning } from '../../core/agents/chat/provider.ts';
import type { ResponseFormat } from '../../core/agents/chat/schema.ts';
import { type Effort, effortOf, loweredTemperature, refuseDropped, warning } from './settings.ts';
import { lacksThoughts } from './turns.ts';

/** Our default for the answer itself: the API requires a limit. */
const ANSWER_TOKENS = 4_096;
const DEFAULT_BUDGET = 4_096;
/** Adaptive models stop in the middle when they run out of tokens. */
const ADAPTIVE_ROOM = 16_384;
const MIN_BUDGET = 1_024;
/** Models that are thinking refuse a lower topP. */
const MIN_THINKING_TOP_P = 0.95;

/** These refuse `disabled`. */
const ALWAYS_THINKS = /claude-(fable|mythos|opus-(5-[5-9]|[6-9]))/;
const THINKS_UNASKED = /claude-(mythos|[a-z]+-([5-9]|\d\d))/;

export type ThinkingConfig =
  | { type: 'enabled'; budget_tokens: number }
  /** Newer models hide their thoughts by default. */
  | { type: 'adaptive'; display: 'summarized' }
  | { type: 'disabled' };

export interface ClaudeSettings {
  maxTokens: number;
  temperature?: number;
  topP?: number;
  thinking?: ThinkingConfig;
  effort?: Effort;
  /** Whether the model will think, so that its earlier thoughts are sent back. */
  thinks: boolean;
  warnings: Warning[];
}

/** Throws `refused` for an impossible budget, or if a required member would be left out. */
export function claudeSettings(call: ProviderCall): ClaudeSettings {
  const { request, capabilities } = call;
  const warnings: Warning[] = [];
  const thinking = thinkingOf(call, warnings);
  const unasked = thinking === undefined && THINKS_UNASKED.test(request.model);
  const thinks = unasked || (thinking !== undefined && thinking.type !== 'disabled');
  const effort = thinking?.type === 'adaptive' ? effortOf(request.thinking, capabilities) : undefined;
  const sampling = samplingOf(call, thinks, warnings);
  refuseDropped(warnings, call);
  return {
    maxTokens:
      request.maxTokens ?? Math.min(capabilities.maxOutputTokens ?? Infinity, defaultTokens(call, thinking, thinks)),
    ...sampling,
    thinking,
    effort,
    thinks,
    warnings,
  };
}

function thinkingOf(call: ProviderCall, warnings: Warning[]): ThinkingConfig | undefined {
  const { request, capabilities } = call;
  const { model, thinking } = request;
  if (!thinking || capabilities.thinking === 'none') return undefined;
  if (thinking.type === 'disabled') {
    if (!ALWAYS_THINKS.test(model)) return { type: 'disabled' };
    warnings.push(warning(`thinking: ${model} cannot be kept from thinking`, 'thinking'));
    return undefined;
  }
  if (capabilities.thinking !== 'budget') return { type: 'adaptive', display: 'summarized' };
  const config: ThinkingConfig = { type: 'enabled', budget_tokens: budgetOf(call) };
  // Between its tool calls such a model needs its own thoughts, or thinking turned off.
  if (!lacksThoughts(request)) return config;
  const lost = 'the last tool_calls came without the extra_content that the model gave with them';
  warnings.push(warning(`thinking: is left out, since ${lost}`, 'thinking'));
  return undefined;
}

function budgetOf({ request, capabilities }: ProviderCall): number {
  const { budgetTokens } = request.thinking!;
  const most = request.maxTokens ?? capabilities.maxOutputTokens ?? Infinity;
  const budget = budgetTokens ?? Math.max(MIN_BUDGET, Math.min(DEFAULT_BUDGET, Math.floor(most / 2)));
  if (budget < MIN_BUDGET) {
    throw refused(`thinking.budgetTokens: must be at least 1,024 with ${request.model}`);
  }
  if (budget < most) return budget;
  const field = budgetTokens === undefined ? 'maxTokens' : 'thinking.budgetTokens';
  throw refused(
    `${field}: leaves no tokens for the answer, since maxTokens (here ${most}) also counts those of thinking, ${budget}; raise maxTokens`,
  );
}

function defaultTokens({ request }: ProviderCall, thinking: ThinkingConfig | undefined, thinks: boolean): number {
  if (!thinks) return ANSWER_TOKENS;
  if (thinking?.type === 'enabled') return ANSWER_TOKENS + thinking.budget_tokens;
  return ANSWER_TOKENS + Math.max(ADAPTIVE_ROOM, request.thinking?.budgetTokens ?? 0);
}

/** Claude takes temperature or topP; while thinking, only temperature 1 or topP from 0.95. */
function samplingOf(
  { request }: ProviderCall,
  thinks: boolean,
  warnings: Warning[],
): Pick<ClaudeSettings, 'temperature' | 'topP'> {
  let { temperature, topP } = request;
  if (temperature !== undefined && temperature > 1) {
    warnings.push(loweredTemperature(temperature, request.model));
    temperature = 1;
  }
  if (thinks && temperature !== undefined && temperature !== 1) {
    warnings.push(warning('temperature: is left out, since the model is thinking', 'temperature'));
    temperature = undefined;
  }
  if (thinks && topP !== undefined && topP < MIN_THINKING_TOP_P) {
    warnings.push(warning('topP: is left out, since the model is thinking', 'topP'));
    topP = undefined;
  }
  if (temperature !== undefined && topP !== undefined) {
    warnings.push(warning(`topP: is left out, since ${request.model} does not take it beside temperature`, 'topP'));
    topP = undefined;
  }
  return { temperature, topP };
}

/** Passes a `strict` schema on; the SDK adapts others. Throws `refused` for one without a type. */
export function answerSchemaOf(format: ResponseFormat | undefined): Record<string, unknown> | undefined {
  if (format?.type !== 'json_schema') return undefined;
  const { schema, strict } = format.json_schema;
  if (strict) return schema;
  try {
    return transformJSONSchema(schema);
  } catch (error) {
    throw refused(`responseFormat.json_schema.schema: ${(error as Error).message}`);
  }
}
