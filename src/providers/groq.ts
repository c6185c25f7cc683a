import Groq from 'groq-sdk';
import type { ChatCompletionCreateParamsStreaming as Body } from 'groq-sdk/resources/chat/completions';
import type { ChatProvider, ProviderCall, ProviderStream } from '../core/chat/provider.ts';
import { bodyOf } from '../outbound/fetch.ts';
import { chatCompletionBody } from './chat-completions.ts';
import { ChatCompletionReader } from './chat-completions-reader.ts';
import { requestIdOf } from './faults.ts';
import { readEvents } from './reading.ts';
import { faultOfSdk, sdkOptions, withOwnHeaders } from './stainless.ts';

/** Models that GroqCloud runs, by its Chat Completions API. */
export const groqProvider: ChatProvider = { stream };

async function stream(call: ProviderCall): Promise<ProviderStream> {
  const { connection, signal } = call;
  const body = groqBody(call);
  try {
    const client = new Groq({ ...sdkOptions(connection, 'https://api.groq.com'), apiKey: connection.apiKey ?? '' });
    const response = await withOwnHeaders(client, connection.headers)
      .chat.completions.create(body, { signal })
      .asResponse();
    return {
      requestId: requestIdOf(response.headers),
      events: readEvents(bodyOf(response), new ChatCompletionReader()),
    };
  } catch (error) {
    throw faultOfSdk(error);
  }
}

function groqBody(call: ProviderCall): Body {
  const body = chatCompletionBody(call) as unknown as Body;
  const { model } = call.request;
  if (!/qwen/.test(model)) return body;
  // Unless told otherwise, Qwen's reasoning comes within the text, between tags.
  body.reasoning_format = 'parsed';
  // The first of these models know no efforts but their own.
  if (body.reasoning_effort && /qwen-?3-/.test(model)) body.reasoning_effort = 'default';
  return body;
}
