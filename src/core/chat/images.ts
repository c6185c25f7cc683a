import { invalid } from '../errors.ts';
import type { Capabilities } from './capabilities.ts';
import type { ChatMessage, ContentPart } from './message.ts';
import type { Connection } from './provider.ts';
import type { ChatRequest } from './schema.ts';

/** Loads what an address leads to. Rejects with a message that the caller may read. */
export type LoadImage = (
  url: string,
  options: { allowPrivateNetwork: boolean; signal: AbortSignal },
) => Promise<{ contentType: string; bytes: Uint8Array }>;

/** The request with its images within it, for models that look at no addresses. Throws `invalid` for one that cannot be had. */
export async function inlineImages(
  request: ChatRequest,
  { images }: Capabilities,
  connection: Connection,
  load: LoadImage,
  signal: AbortSignal,
): Promise<ChatRequest> {
  if (images !== 'inline' || !request.messages.some(hasAddress)) return request;
  // The definition's private network is where its server is; whoever chats chooses the address of an image.
  const options = { allowPrivateNetwork: connection.allowPrivateImages, signal };
  const messages = [];
  for (const [index, message] of request.messages.entries()) {
    messages.push(
      hasAddress(message) ? await inlined(message, `messages[${index}]`, (url) => load(url, options)) : message,
    );
  }
  return { ...request, messages };
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
      throw invalid(`${at}: ${error instanceof Error ? error.message : 'cannot be loaded'}`);
    });
    if (!contentType.startsWith('image/')) throw invalid(`${at}: leads to ${contentType}, which is no image`);
    const url = `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}`;
    content.push({ type: 'image_url', image_url: { ...part.image_url, url } });
  }
  return { ...message, content };
}
