import type { ChatEvent, ChatProvider, ProviderCall, ProviderStream } from '../../core/agents/chat/provider.ts';
import { bodyOf } from '../../outbound/response.ts';
import { requestIdOf } from '../shared/faults.ts';
import { readEvents } from '../shared/reading.ts';
import { geminiParameters } from './body.ts';
import { faultOfGemini, GEMINI_URL, geminiClient, geminiFetch } from './client.ts';
import { GeminiReader } from './reader.ts';

export const geminiProvider: ChatProvider = { stream };

/** We read the response: the SDK takes a cut answer for a whole one. */
async function stream(call: ProviderCall): Promise<ProviderStream> {
  const { connection, signal } = call;
  const { model, contents, config } = geminiParameters(call);
  let response: Response | undefined;
  const send = geminiFetch(connection);
  const httpOptions = {
    baseUrl: connection.baseUrl ?? GEMINI_URL,
    fetch: async (...request: Parameters<typeof fetch>) => {
      response = await send(...request);
      return response;
    },
  };
  try {
    await geminiClient.models.generateContentStream({
      model,
      contents,
      config: { ...config, httpOptions, abortSignal: signal },
    });
  } catch (error) {
    throw faultOfGemini(error, response);
  }
  const reader = new GeminiReader();
  const reads = readEvents(bodyOf(response!), reader);
  // The id comes with the first events, in no header.
  let first = await reads.next();
  while (!first.done && first.value.length === 0) first = await reads.next();
  return {
    requestId: requestIdOf(Object.fromEntries(response!.headers)) ?? reader.responseId,
    events: continued(first, reads),
  };
}

async function* continued(
  first: IteratorResult<ChatEvent[]>,
  reads: AsyncGenerator<ChatEvent[]>,
): AsyncGenerator<ChatEvent[]> {
  try {
    if (!first.done) yield first.value;
    yield* reads;
  } finally {
    // A reader that stops during the first batch has not started `reads` yet.
    await reads.return(undefined);
  }
}
