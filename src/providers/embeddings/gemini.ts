import { bodyOf } from '../../outbound/fetch.ts';
import { faultOfGemini, GEMINI_URL, geminiClient, geminiFetch } from '../gemini/provider.ts';
import {
  type EmbeddingModel,
  embeddingFaultOf,
  type Limits,
  listOf,
  type ModelSettings,
  membersOf,
  prompted,
  readResponse,
  type Use,
} from './model.ts';

/** Gemini reads 2,048 tokens of a text and ignores the rest. */
const LIMITS: Limits = { maxTexts: 100, maxBytes: 300_000, maxTextBytes: 8_192, maxRequests: 4 };

const TASK_TYPES: Record<Use, string> = { document: 'RETRIEVAL_DOCUMENT', query: 'RETRIEVAL_QUERY' };

export function geminiModel({ model, dimensions, connection }: ModelSettings): EmbeddingModel {
  const send = geminiFetch(connection);
  return {
    limits: LIMITS,
    ask: async (texts, use, signal) => {
      let response: Response | undefined;
      let answer = '';
      const fetchAnswer = async (...request: Parameters<typeof fetch>) => {
        const streaming = await send(...request);
        answer = (await readResponse(bodyOf(streaming))).toString();
        response = new Response(streaming.ok ? '{}' : answer, streaming);
        return response;
      };
      try {
        await geminiClient.models.embedContent({
          model,
          // Separately: some models make one vector of several plain texts.
          contents: texts.map((text) => ({ parts: [{ text: prompted(model, text, use) }] })),
          config: {
            taskType: TASK_TYPES[use],
            ...(dimensions === null ? {} : { outputDimensionality: dimensions }),
            httpOptions: { baseUrl: connection.baseUrl ?? GEMINI_URL, fetch: fetchAnswer },
            abortSignal: signal,
          },
        });
      } catch (error) {
        throw embeddingFaultOf(error, (reason) => faultOfGemini(reason, response));
      }
      return listOf(membersOf(answer).embeddings).map((one) => (one as { values?: unknown } | null)?.values);
    },
  };
}
