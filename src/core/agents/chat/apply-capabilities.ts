import { type Capabilities, HAS_CHAT_COMPLETIONS } from './capabilities.ts';
import type { ChatRequest } from './schema.ts';

export interface AppliedRequest {
  request: ChatRequest;
  /** With `maxTokens: 500 -> 100` for a lowered one. */
  dropped: string[];
  stopAt: readonly string[];
  /** One message per essential member, beginning with its path. */
  refusals: string[];
}

const TUNING = ['temperature', 'topP', 'frequencyPenalty', 'presencePenalty', 'seed'] as const;

/** Refuses unsupported members. Drops those that only tune, unless `requiredParams` has them. */
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
  const refusals = [
    ...structuralRefusals(request, capabilities),
    ...dropped
      .filter((name) => requiredParams.includes(name))
      .map((name) => `${name}: is not supported by ${nameOf(request)}; omit it`),
  ];
  return { request, dropped: [...dropped, ...lowerMaxTokens(request, capabilities)], stopAt, refusals };
}

/** How a lowered value is named among the dropped members. */
export function loweredParam(name: string, from: number, to: number): string {
  return `${name}: ${from} -> ${to}`;
}

function lowerMaxTokens(request: ChatRequest, { maxOutputTokens }: Capabilities): string[] {
  const { maxTokens } = request;
  if (maxTokens === undefined || maxOutputTokens === null || maxTokens <= maxOutputTokens) return [];
  request.maxTokens = maxOutputTokens;
  return [loweredParam('maxTokens', maxTokens, maxOutputTokens)];
}

function nameOf({ provider, model }: ChatRequest): string {
  return `${model} (${provider})`;
}

function isThinkingDropped({ thinking }: ChatRequest, { thinking: style }: Capabilities): boolean {
  if (!thinking) return false;
  // Models with effort levels always think.
  return thinking.type === 'disabled' ? style === 'effort' : style === 'none';
}

/** All or none, so that one side applies them all. */
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
