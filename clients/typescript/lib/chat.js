import { EventSourceParserStream } from 'eventsource-parser/stream';
import { AgentRuntimeError, connectionError } from './errors.js';
export async function* streamChat(client, body, { signal, onExecution } = {}) {
    const ended = new AbortController();
    try {
        const { data, error, response } = await client.POST('/api/v1/runtime/v1/chat/stream', {
            body,
            headers: { accept: 'text/event-stream' },
            parseAs: 'stream',
            signal: AbortSignal.any(signal ? [signal, ended.signal] : [ended.signal]),
        });
        const executionId = response.headers.get('x-execution-id');
        if (executionId !== null)
            onExecution?.(executionId);
        if (!data)
            throw new AgentRuntimeError(response, error);
        const messages = messagesOf(data, response.headers, signal);
        for await (const { event, data: text } of messages) {
            if (event === 'error')
                throw streamedError(JSON.parse(text), response.headers);
            const chatEvent = chatEventOf(event, JSON.parse(text));
            if (chatEvent)
                yield chatEvent;
            if (event !== 'done')
                continue;
            // Its end follows: a response that was read can leave its connection to the next.
            await messages.next().catch(() => undefined);
            return;
        }
        throw connectionError('the answer ended before it was done', response.headers);
    }
    finally {
        ended.abort();
    }
}
/** By a reader: not every browser iterates streams. */
async function* messagesOf(bytes, headers, signal) {
    const decoder = new TextDecoderStream();
    const reader = bytes.pipeThrough(decoder).pipeThrough(new EventSourceParserStream()).getReader();
    for (;;) {
        const { done, value } = await reader.read().catch((error) => {
            throw signal?.aborted ? error : connectionError(error, headers);
        });
        if (done)
            return;
        yield value;
    }
}
function streamedError(body, headers) {
    return new AgentRuntimeError({ status: body.statusCode, headers }, body);
}
/** Null for an event of a newer server. */
function chatEventOf(type, data) {
    switch (type) {
        case 'text':
        case 'reasoning':
        case 'warning':
        case 'done':
            return { ...data, type };
        case 'tool_call':
            return { type, call: data };
        case 'usage':
            return { type, usage: data };
        default:
            return null;
    }
}
