import { isHeld, isModelWithin } from '../../base/filters/limits.ts';
import type { Caller, Reader } from '../../base/shared/caller.ts';
import { invalid, outside, RuntimeError } from '../../base/shared/errors.ts';
import { capMessages } from '../../base/shared/parse.ts';
import type { ConfiguredProvider } from '../providers/configured.ts';
import type { Fallback } from '../providers/schema.ts';
import { applyCapabilities } from './apply-capabilities.ts';
import { capabilitiesOf, type Vendor } from './capabilities.ts';
import type { ChatReservation } from './chat-budgets.ts';
import { inlineImages, type LoadImage } from './images.ts';
import type { ChatCandidate } from './open-answer.ts';
import type { ChatRequest } from './schema.ts';
import type { ChatSlot } from './slots.ts';

export interface RequestedChat {
  caller: Caller;
  requested: ChatRequest;
  signal: AbortSignal;
  slot: ChatSlot;
}

export interface CandidateParts {
  providers: {
    configured(tenantId: string, name: string): Promise<ConfiguredProvider>;
    ofEnvironment(provider: Vendor): ConfiguredProvider;
  };
  loadImage: LoadImage;
}

export interface FallbackParts {
  fallbacks: readonly Fallback[];
  request: ChatRequest;
  chat: RequestedChat;
  reservation: ChatReservation;
}

export class ChatCandidates {
  private readonly parts: CandidateParts;

  constructor(parts: CandidateParts) {
    this.parts = parts;
  }

  /**
   * Throws `invalid` if the named provider uses another vendor's API; who is held to models learns
   * no other provider's name.
   */
  async provider(reader: Reader, provider: Vendor, name: string | null): Promise<ConfiguredProvider> {
    if (name === null) return this.parts.providers.ofEnvironment(provider);
    const isLimited = isHeld(reader, 'models');
    const unknown = invalid('providerName: is none that this credential reaches');
    const configured = await this.parts.providers.configured(reader.tenantId, name).catch((error: unknown) => {
      throw isLimited ? unknown : error;
    });
    const { provider: vendor } = configured.connection;
    if (vendor === provider) return configured;
    if (isLimited) throw unknown;
    throw invalid(`provider: must be ${vendor}, the API of the provider "${name}"`);
  }

  /**
   * Throws `invalid` if the provider does not support the request, `forbidden` for a model outside
   * the caller's limits.
   */
  async candidate(
    configured: ConfiguredProvider,
    wanted: ChatRequest,
    { caller, requested, signal, slot }: RequestedChat,
  ): Promise<ChatCandidate> {
    const { name, connection, price, strict, timeoutMs } = configured;
    const { provider, model, legacy = false } = wanted;
    if (!isModelWithin(caller, [model, ...[provider, name].map((of) => `${of}/${model}`)])) {
      throw outside('models', `the model ${JSON.stringify(model)} of ${name ?? provider}`);
    }
    const isPrivate = connection.allowPrivateNetwork;
    const capabilities = capabilitiesOf({ provider, model, legacy, isPrivate }, configured.capabilities);
    // Callers can omit their own members, but not those of a definition.
    const requiredParams = strict ? Object.keys(requested) : [];
    const applied = applyCapabilities(wanted, capabilities, requiredParams);
    if (applied.refusals.length > 0) throw invalid(...capMessages(applied.refusals));
    return {
      provider,
      providerName: name,
      connection,
      capabilities,
      price,
      request: await inlineImages(applied.request, capabilities, connection, {
        load: this.parts.loadImage,
        reserve: slot.reserve,
        signal,
      }),
      isFallback: false,
      requiredParams,
      droppedParams: applied.dropped,
      stopAt: applied.stopAt,
      timeoutMs,
    };
  }

  async *withFallbacks(first: ChatCandidate, { fallbacks, ...rest }: FallbackParts): AsyncGenerator<ChatCandidate> {
    yield first;
    for (const fallback of fallbacks) {
      const candidate = await this.fallback(fallback, rest);
      if (candidate) yield candidate;
    }
  }

  /** Null if it is misconfigured, unsuitable or exceeds a budget. */
  private async fallback(
    { provider, providerName, model }: Fallback,
    { request, chat, reservation }: Omit<FallbackParts, 'fallbacks'>,
  ): Promise<ChatCandidate | null> {
    try {
      const configured = await this.provider(chat.caller, provider, providerName ?? null);
      const wanted = { ...configured.defaults, ...request, provider, model };
      const candidate = { ...(await this.candidate(configured, wanted, chat)), isFallback: true };
      return (await reservation.extend(candidate)) ? candidate : null;
    } catch (error) {
      chat.signal.throwIfAborted();
      if (error instanceof RuntimeError) return null;
      throw error;
    }
  }
}
