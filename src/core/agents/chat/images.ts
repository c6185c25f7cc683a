import { invalid, RuntimeError } from '../../base/shared/errors.ts';
import type { Capabilities } from './capabilities.ts';
import type { ChatMessage, ContentPart } from './message.ts';
import type { Connection } from './provider.ts';
import { type ChatRequest, MAX_CHAT_BYTES } from './schema.ts';

const MAX_IMAGE_BYTES = MAX_CHAT_BYTES;
const MAX_LOADING_MS = 30_000;

export interface LoadOptions {
  allowPrivateNetwork: boolean;
  /** Called before bytes are stored. What it throws rejects the load. */
  admit(bytes: number): void;
  signal: AbortSignal;
}

/** Rejects with a message for the caller. */
export type LoadImage = (url: string, options: LoadOptions) => Promise<{ contentType: string; bytes: Uint8Array }>;

export interface InlineOptions {
  load: LoadImage;
  /** Throws `unavailable` if the memory of all chats is exhausted. */
  reserve(bytes: number): void;
  signal: AbortSignal;
}

/** Loads images for models that fetch none. Throws `invalid`. */
export async function inlineImages(
  request: ChatRequest,
  { images }: Capabilities,
  connection: Connection,
  options: InlineOptions,
): Promise<ChatRequest> {
  if (images !== 'inline' || !request.messages.some(hasAddress)) return request;
  const load = loaderOf(connection, options);
  const messages = [];
  for (const [index, message] of request.messages.entries()) {
    messages.push(hasAddress(message) ? await inlined(message, `messages[${index}]`, load) : message);
  }
  return { ...request, messages };
}

function loaderOf({ allowPrivateImages }: Connection, { load, reserve, signal }: InlineOptions) {
  const end = performance.now() + MAX_LOADING_MS;
  let left = MAX_IMAGE_BYTES;
  const admit = (bytes: number) => {
    left -= bytes;
    if (left < 0) throw new Error(`makes more than ${MAX_IMAGE_BYTES} bytes of images together`);
    reserve(bytes);
  };
  return async (url: string) => {
    if (performance.now() > end) throw new Error(`comes after images that took ${MAX_LOADING_MS / 1_000} s to load`);
    // SSRF guard: callers choose the addresses, so `allowPrivateNetwork` does not apply.
    return load(url, { allowPrivateNetwork: allowPrivateImages, admit, signal });
  };
}

function hasAddress({ content }: ChatMessage): boolean {
  return Array.isArray(content) && content.some(isAddress);
}

function isAddress(part: ContentPart): boolean {
  return part.type === 'image_url' && !part.image_url.url.startsWith('data:');
}

async function inlined(
  message: ChatMessage,
  path: string,
  load: (url: string) => ReturnType<LoadImage>,
): Promise<ChatMessage> {
  const content: ContentPart[] = [];
  for (const [position, part] of (message.content as ContentPart[]).entries()) {
    if (part.type !== 'image_url' || !isAddress(part)) {
      content.push(part);
      continue;
    }
    const at = `${path}.content[${position}].image_url.url`;
    const { contentType, bytes } = await load(part.image_url.url).catch((error: unknown) => {
      if (error instanceof RuntimeError) throw error;
      throw invalid(`${at}: ${error instanceof Error ? error.message : 'cannot be loaded'}`);
    });
    if (!contentType.startsWith('image/')) throw invalid(`${at}: leads to ${contentType}, which is not an image`);
    const url = `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}`;
    content.push({ type: 'image_url', image_url: { ...part.image_url, url } });
  }
  return { ...message, content };
}
