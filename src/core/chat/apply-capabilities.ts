import type { Capabilities } from './capabilities.ts';
import type { ChatRequest } from './schema.ts';
import type { ProviderName } from './vendors.ts';

/** A request as a model can honour it. */
export interface AppliedRequest {
  request: ChatRequest;
  /** Members that tune the answer and that the model does not take. */
  dropped: string[];
  /** Stop sequences at which the runtime itself cuts the answer. */
  stopAt: readonly string[];
  /** What it may not go without: one message each, beginning with its path. Then nothing is asked. */
  refusals: string[];
}

const TUNING = ['temperature', 'topP', 'frequencyPenalty', 'presencePenalty', 'seed'] as const;

/** Those whose API is Chat Completions, or can be. */
const HAS_CHAT_COMPLETIONS = new Set<ProviderName>(['openai', 'groq', 'xai', 'custom']);

/**
 * What of a request a model can honour. What would change the meaning of the answer (tools, its format, parts of messages)
 * is refused; what only tunes it is dropped, but for members that are to be `kept`, which are refused, too.
 */
export function applyCapabilities(
  asked: ChatRequest,
  capabilities: Capabilities,
  requiredParams: readonly string[],
): AppliedRequest {
  const request = { ...asked };
  const dropped = [...TUNING.filter((name) => request[name] !== undefined && !capabilities[name])] as string[];
  for (const name of TUNING) if (!capabilities[name]) delete request[name];
  if (request.legacy && !HAS_CHAT_COMPLETIONS.has(request.provider)) dropped.push('legacy');
  if (isThinkingDropped(request, capabilities)) dropped.push('thinking');
  if (request.thinking && (capabilities.thinking === 'none' || dropped.includes('thinking'))) delete request.thinking;
  const stopAt = cutByUs(request.stop ?? [], capabilities);
  if (stopAt.length > 0) delete request.stop;
  const { maxOutputTokens } = capabilities;
  if (maxOutputTokens !== null && (request.maxTokens ?? 0) > maxOutputTokens) request.maxTokens = maxOutputTokens;
  const refusals = [
    ...structuralRefusals(request, capabilities),
    ...dropped
      .filter((name) => requiredParams.includes(name))
      .map((name) => `${name}: is not taken by ${nameOf(request)}; leave it out`),
  ];
  return { request, dropped, stopAt, refusals };
}

function nameOf({ provider, model }: ChatRequest): string {
  return `${provider}'s ${model}`;
}

function isThinkingDropped({ thinking }: ChatRequest, { thinking: style }: Capabilities): boolean {
  if (!thinking) return false;
  // Not to think is what a model that cannot does anyway; one that goes by an effort cannot be kept from it.
  return thinking.type === 'disabled' ? style === 'effort' : style === 'none';
}

/** All or none: with some of them the provider would end at one, and we at another, in either order. */
function cutByUs(stop: readonly string[], { stop: most }: Capabilities): readonly string[] {
  // Vendors refuse those of white space alone.
  return stop.length > most || stop.some((text) => text.trim() === '') ? stop : [];
}

function structuralRefusals(request: ChatRequest, capabilities: Capabilities): string[] {
  const { tools = [], responseFormat, serverTools = [] } = request;
  const name = nameOf(request);
  const refusals: string[] = [];
  if (tools.length > 0 && !capabilities.tools) refusals.push(`tools: are not possible with ${name}`);
  if (responseFormat && responseFormat.type !== 'text' && !capabilities.responseFormats.includes(responseFormat.type)) {
    refusals.push(`responseFormat.type: ${responseFormat.type} is not possible with ${name}`);
  }
  for (const [index, tool] of serverTools.entries()) {
    if (!capabilities.serverTools.includes(tool)) {
      refusals.push(`serverTools[${index}]: ${tool} is not possible with ${name}`);
    }
  }
  return [...refusals, ...partRefusals(request, capabilities)];
}

function partRefusals(request: ChatRequest, { images, files }: Capabilities): string[] {
  const impossible = { text: false, image_url: images === 'none', file: !files };
  if (!impossible.image_url && !impossible.file) return [];
  return request.messages.flatMap(({ content }, index) =>
    Array.isArray(content)
      ? content.flatMap(({ type }, position) =>
          impossible[type]
            ? [`messages[${index}].content[${position}]: ${type} is not possible with ${nameOf(request)}`]
            : [],
        )
      : [],
  );
}
