import {
  FunctionCallingConfigMode,
  type GenerateContentConfig,
  type GenerateContentParameters,
  type ThinkingConfig,
  ThinkingLevel,
  type Tool,
} from '@google/genai';
import { type ProviderCall, refused } from '../../core/agents/chat/provider.ts';
import type { ChatRequest, ResponseFormat } from '../../core/agents/chat/schema.ts';
import { effortOf } from '../shared/effort.ts';
import { contentsOf, systemTexts } from './contents.ts';

/** The model decides. */
const DYNAMIC_BUDGET = -1;
const LEVELS = { low: ThinkingLevel.LOW, medium: ThinkingLevel.MEDIUM, high: ThinkingLevel.HIGH };

export function geminiParameters(call: ProviderCall): GenerateContentParameters {
  const { request } = call;
  const { temperature, topP, frequencyPenalty, presencePenalty, stop, seed, maxTokens } = request;
  const { model, messages, instructions } = request;
  // It becomes part of the URL.
  if (!/^[\w./-]+$/.test(model) || model.includes('..')) {
    throw refused('model: must be the name of a model, for gemini');
  }
  const system = [...(instructions ? [instructions] : []), ...systemTexts(messages)];
  const config: GenerateContentConfig = {
    ...(system.length > 0 ? { systemInstruction: { parts: system.map((text) => ({ text })) } } : {}),
    temperature,
    topP,
    frequencyPenalty,
    presencePenalty,
    maxOutputTokens: maxTokens,
    stopSequences: stop?.length ? stop : undefined,
    // The API takes 32 bits; equal seeds stay equal.
    seed: seed === undefined ? undefined : seed | 0,
    ...formatOf(request.responseFormat),
    ...toolsOf(request),
    thinkingConfig: thinkingOf(call),
  };
  return { model, contents: contentsOf(messages, model), config };
}

function formatOf(format: ResponseFormat | undefined): GenerateContentConfig {
  if (!format || format.type === 'text') return {};
  const schema = format.type === 'json_schema' ? { responseJsonSchema: format.json_schema.schema } : {};
  return { responseMimeType: 'application/json', ...schema };
}

function toolsOf({ tools = [], serverTools = [] }: ChatRequest): GenerateContentConfig {
  if (tools.length > 0 && serverTools.length > 0) {
    throw refused('serverTools: cannot go with tools, for gemini; ask for the one or the other');
  }
  const served = serverTools.map(
    (tool): Tool => (tool === 'web_search' ? { googleSearch: {} } : { codeExecution: {} }),
  );
  if (tools.length === 0) return served.length > 0 ? { tools: served } : {};
  const functionDeclarations = tools.map(({ function: { name, description, parameters } }) => ({
    name,
    description,
    // The API refuses `{}`.
    parametersJsonSchema: Object.keys(parameters ?? {}).length > 0 ? parameters : undefined,
  }));
  // Gemini enforces the schemas of all functions or of none.
  const strict = tools.some(({ function: { strict } }) => strict);
  return {
    tools: [{ functionDeclarations }],
    ...(strict ? { toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.VALIDATED } } } : {}),
  };
}

function thinkingOf({ request: { thinking }, capabilities }: ProviderCall): ThinkingConfig | undefined {
  if (!thinking) return undefined;
  if (thinking.type === 'disabled') return { thinkingBudget: 0 };
  if (capabilities.thinking === 'budget') {
    return { includeThoughts: true, thinkingBudget: thinking.budgetTokens ?? DYNAMIC_BUDGET };
  }
  const effort = effortOf(thinking, capabilities);
  return { includeThoughts: true, ...(effort ? { thinkingLevel: LEVELS[effort] } : {}) };
}
