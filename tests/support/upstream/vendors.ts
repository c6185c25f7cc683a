import type { Vendor } from '../../../src/core/agents/chat/capabilities.ts';
import { anthropic } from './anthropic.ts';
import { bedrock } from './bedrock.ts';
import { chat } from './chat.ts';
import { gemini } from './gemini.ts';
import type { Protocol } from './protocol.ts';
import { responses } from './responses.ts';

/** Who is asked, and in what: the path of a request tells both. */
export interface Endpoint {
  vendor: Vendor;
  protocol: Protocol;
  /** Whether a request says in its body that it wants a stream; elsewhere the path does. */
  saysStream: boolean;
}

const ENDPOINTS: [RegExp, Endpoint][] = [
  [/^\/v1\/responses$/, { vendor: 'openai', protocol: responses, saysStream: true }],
  [/^\/v1\/chat\/completions$/, { vendor: 'openai', protocol: chat, saysStream: true }],
  [/^\/openai\/v1\/chat\/completions$/, { vendor: 'groq', protocol: chat, saysStream: true }],
  [/^\/xai\/v1\/chat\/completions$/, { vendor: 'xai', protocol: chat, saysStream: true }],
  [/^\/custom\/v1\/chat\/completions$/, { vendor: 'custom', protocol: chat, saysStream: true }],
  [/^\/v1\/messages$/, { vendor: 'anthropic', protocol: anthropic, saysStream: true }],
  [/^\/v1(beta)?\/models\/[^/]+:streamGenerateContent$/, { vendor: 'gemini', protocol: gemini, saysStream: false }],
  [/^\/model\/[^/]+\/converse-stream$/, { vendor: 'bedrock', protocol: bedrock, saysStream: false }],
];

/** Null where no vendor has such a path. */
export function endpointOf(path: string): Endpoint | null {
  const { pathname, searchParams } = new URL(path, 'http://upstream');
  const [, endpoint = null] = ENDPOINTS.find(([pattern]) => pattern.test(pathname)) ?? [];
  // Without it Gemini answers one JSON array.
  if (endpoint?.vendor === 'gemini' && searchParams.get('alt') !== 'sse') return null;
  return endpoint;
}

/** What stands between the server's address and a path of a vendor's, as the vendor's SDK takes its base URL. */
export const BASE_PATHS: Record<Vendor, string> = {
  openai: '/v1',
  groq: '',
  xai: '/xai/v1',
  custom: '/custom/v1',
  anthropic: '',
  gemini: '',
  bedrock: '',
};

/** The model that a request names, in its body or its path. */
export function modelOf(path: string, body: unknown): string {
  const named = (body as { model?: unknown } | null)?.model;
  const [, inPath] = /\/models?\/([^/:]+)/.exec(decodeURIComponent(path)) ?? [];
  return typeof named === 'string' ? named : (inPath ?? 'fake');
}

/** The vendor's id of a request and the headers that all its answers have. Gemini and servers like vLLM tell no id. */
export function identityOf(vendor: Vendor, number: number): { id: string | null; headers: Record<string, string> } {
  const suffix = String(number).padStart(12, '0');
  const uuid = `00000000-0000-4000-8000-${suffix}`;
  switch (vendor) {
    case 'openai': {
      const id = `req_${suffix}`;
      return { id, headers: { 'x-request-id': id, 'openai-version': '2020-10-01', 'openai-processing-ms': '42' } };
    }
    case 'groq': {
      const id = `req_01${suffix}`;
      return { id, headers: { 'x-request-id': id, 'x-groq-region': 'fake' } };
    }
    case 'xai':
      return { id: uuid, headers: { 'x-request-id': uuid } };
    case 'anthropic': {
      const id = `req_011${suffix}`;
      return { id, headers: { 'request-id': id } };
    }
    case 'bedrock':
      return { id: uuid, headers: { 'x-amzn-requestid': uuid } };
    case 'gemini':
      return { id: null, headers: { 'server-timing': 'gfet4t7; dur=42' } };
    case 'custom':
      return { id: null, headers: {} };
  }
}
