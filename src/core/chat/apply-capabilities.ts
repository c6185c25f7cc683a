import { type Capabilities, HAS_CHAT_COMPLETIONS } from './capabilities.ts';
import type { ChatRequest } from './schema.ts';

/** A request adapted to a model. */
export interface AppliedRequest {
  request: ChatRequest;
  /** Tuning members that the model does not support. */
  dropped: string[];
  /** Stop sequences at which the runtime cuts the answer itself. */
  stopAt: readonly string[];
  /** One message for each essential member that is unsupported, beginning with its path. */
  refusals: string[];
}

const TUNING = ['temperature', 'topP', 'frequencyPenalty', 'presencePenalty', 'seed'] as const;

/**
 * Adapts a request to a model. Unsupported members that change the meaning of the answer (tools,
 * format, message parts) are refused. Those that only tune it are dropped, or refused if they are
 * among `requiredParams`.
 */
export function applyCapabilities(
  requested: ChatRequest,
  capabilities: Capabilities,
  requiredParams: readonly string[],
): AppliedRequest {
  const request = { ...requested };
  const dropped = [...TUNING.filter((name) => request[name] !== undefined && !capabilities[name])] as string[];
  for (const name of TUNING) if (!capabilities[name]) delete request[name];
  if (request.legacy && !HAS_CHAT_COMPLETIONS.has(request.provider)) dropped.push('legacy');
  if (isThinkingDropped(request, capabilities)) dropped.push('thinking');
  if (request.thinking && (capabilities.thinking === 'none' || dropped.includes('thinking'))) delete request.thinking;
  const stopAt = stopsToCut(request.stop ?? [], capabilities);
  if (stopAt.length > 0) delete request.stop;
  const { maxOutputTokens } = capabilities;
  if (maxOutputTokens !== null && (request.maxTokens ?? 0) > maxOutputTokens) request.maxTokens = maxOutputTokens;
  const refusals = [
    ...structuralRefusals(request, capabilities),
    ...dropped
      .filter((name) => requiredParams.includes(name))
      .map((name) => `${name}: is not supported by ${nameOf(request)}; omit it`),
  ];
  return { request, dropped, stopAt, refusals };
}

function nameOf({ provider, model }: ChatRequest): string {
  return `${model} (${provider})`;
}

function isThinkingDropped({ thinking }: ChatRequest, { thinking: style }: Capabilities): boolean {
  if (!thinking) return false;
  // A model that cannot think satisfies `disabled`; one with effort levels always thinks.
  return thinking.type === 'disabled' ? style === 'effort' : style === 'none';
}

/** All or none: otherwise the provider would stop at some sequences and the runtime at others. */
function stopsToCut(stop: readonly string[], { stop: most }: Capabilities): readonly string[] {
  // Vendors refuse blank sequences.
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
