import { ConverseStreamCommand, type ConverseStreamCommandOutput } from '@aws-sdk/client-bedrock-runtime';
import type { ChatProvider, ProviderCall, ProviderStream } from '../../core/agents/chat/provider.ts';
import { abortable } from '../../core/base/concurrency/timers.ts';
import { withWarnings } from '../shared/warnings.ts';
import { bedrockRequest } from './body.ts';
import { bedrockClient, withHeaders } from './client.ts';
import { faultOfAws } from './faults.ts';
import { readConverse } from './stream.ts';

export const bedrockProvider: ChatProvider = { stream };

async function stream(call: ProviderCall): Promise<ProviderStream> {
  const { input, warnings } = bedrockRequest(call);
  const ended = new AbortController();
  try {
    const { $metadata, stream: events } = await send(call, input, ended.signal);
    const close = () => ended.abort();
    return { requestId: $metadata.requestId ?? null, events: withWarnings(warnings, readConverse(events!, close)) };
  } catch (error) {
    ended.abort();
    throw faultOfAws(error);
  }
}

/** Resolves with the first event. Rejects as soon as the caller aborts, unlike the SDK. */
function send(
  { connection, signal }: ProviderCall,
  input: ConstructorParameters<typeof ConverseStreamCommand>[0],
  ended: AbortSignal,
): Promise<ConverseStreamCommandOutput> {
  const command = withHeaders(new ConverseStreamCommand(input), connection);
  const sent = bedrockClient(connection).send(command, { abortSignal: AbortSignal.any([signal, ended]) });
  return abortable(sent, signal);
}
