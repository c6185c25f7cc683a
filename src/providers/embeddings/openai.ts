import { openaiClients, openaiErrors } from '../chat-completions/provider.ts';
import { faultOfSdk, sendRequest } from '../shared/sdk-requests.ts';
import {
  type EmbeddingModel,
  embeddingFaultOf,
  type Limits,
  listOf,
  type ModelSettings,
  membersOf,
  prompted,
  readResponse,
} from './model.ts';

const clientOf = openaiClients('https://api.openai.com/v1');

/** 300,000 tokens of at least one byte. Parsing OpenAI's maximum of 2,048 texts blocks 100 ms. */
const OPENAI: Limits = { maxTexts: 256, maxBytes: 300_000, maxTextBytes: 8_192, maxRequests: 4 };

/** Text Embeddings Inference accepts only 32 texts. */
const COMPATIBLE: Limits = { maxTexts: 32, maxBytes: 100_000, maxTextBytes: 8_192, maxRequests: 2 };

export function openaiModel({ model, dimensions, connection }: ModelSettings): EmbeddingModel {
  const isOpenai = connection.provider === 'openai';
  return {
    limits: isOpenai ? OPENAI : COMPATIBLE,
    ask: async (texts, use, signal) => {
      const body = {
        model,
        input: texts.map((text) => prompted(model, text, use)),
        ...(dimensions === null ? {} : { dimensions }),
        // A quarter of the size. Other servers may not know it.
        ...(isOpenai ? { encoding_format: 'base64' } : {}),
      };
      try {
        const request = { path: '/embeddings', body };
        const answer = await sendRequest(clientOf(connection), openaiErrors, request, { connection, signal });
        return vectorsIn((await readResponse(answer.body)).toString());
      } catch (error) {
        throw embeddingFaultOf(error, faultOfSdk);
      }
    },
  };
}

interface Item {
  index?: number;
  embedding?: unknown;
}

function vectorsIn(answer: string): unknown[] {
  const items = listOf(membersOf(answer).data).map((item) => (item ?? {}) as Item);
  // Stable: some servers number no items, or all 0, and send them in order.
  items.sort((one, other) => (one.index ?? 0) - (other.index ?? 0));
  return items.map(({ embedding }) => (typeof embedding === 'string' ? floatsIn(embedding) : embedding));
}

/** Little-endian 32-bit floats; null if the length does not fit. */
function floatsIn(base64: string): Float32Array | null {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length % Float32Array.BYTES_PER_ELEMENT !== 0) return null;
  // A copy, because the Buffer may not be aligned for floats.
  return new Float32Array(new Uint8Array(bytes).buffer);
}
