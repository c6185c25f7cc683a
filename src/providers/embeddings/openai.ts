import { openaiClients, openaiErrors } from '../chat-completions/openai-sdk.ts';
import { faultOfSdk, sendRequest } from '../shared/stainless.ts';
import type { EmbeddingModel, Limits, ModelSettings } from './model.ts';
import { prompted } from './prompts.ts';
import { faultOf, listOf, membersOf, readResponse } from './response.ts';

const clientOf = openaiClients('https://api.openai.com/v1');

/**
 * OpenAI takes 2,048 texts of 8,192 tokens, 300,000 tokens together. A token is one byte at least, so as many bytes are never
 * too many. Fewer texts, since an answer is parsed in one go: those of 2,048 were measured to hold up everybody else for about
 * 100 ms, those of 256 for about 20, and vectors came no slower.
 */
const OPENAI: Limits = { maxTexts: 256, maxBytes: 300_000, maxTextBytes: 8_192, maxRequests: 4 };

/** Servers on one's own machine take a while for each text, and Text Embeddings Inference no more than 32. */
const COMPATIBLE: Limits = { maxTexts: 32, maxBytes: 100_000, maxTextBytes: 8_192, maxRequests: 2 };

/** OpenAI, and any server that has the same `/embeddings`: Ollama, vLLM, llama.cpp, LM Studio and the like. */
export function openaiModel({ model, dimensions, connection }: ModelSettings): EmbeddingModel {
  const isOpenai = connection.provider === 'openai';
  return {
    limits: isOpenai ? OPENAI : COMPATIBLE,
    ask: async (texts, use, signal) => {
      const body = {
        model,
        input: texts.map((text) => prompted(model, text, use)),
        ...(dimensions === null ? {} : { dimensions }),
        // A quarter of the size. Others may not know it.
        ...(isOpenai ? { encoding_format: 'base64' } : {}),
      };
      try {
        const request = { path: '/embeddings', body };
        const answer = await sendRequest(clientOf(connection), openaiErrors, request, { connection, signal });
        return vectorsIn((await readResponse(answer.body)).toString());
      } catch (error) {
        throw faultOf(error, faultOfSdk);
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
  // Stable: servers that count none of them, or all as 0, give them in order.
  items.sort((one, other) => (one.index ?? 0) - (other.index ?? 0));
  return items.map(({ embedding }) => (typeof embedding === 'string' ? floatsIn(embedding) : embedding));
}

/** Numbers of 4 bytes each, the least significant first. What is none of them is not whole numbers of these. */
function floatsIn(base64: string): Float32Array | null {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length % Float32Array.BYTES_PER_ELEMENT !== 0) return null;
  // A copy: where a Buffer begins in its memory need not be where a number may.
  return new Float32Array(new Uint8Array(bytes).buffer);
}
