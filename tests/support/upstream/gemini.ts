import type {
  Candidate,
  FinishReason,
  GenerateContentResponse,
  GenerateContentResponsePromptFeedback,
  GenerateContentResponseUsageMetadata,
  MediaModality,
  ModalityTokenCount,
  Part,
} from '@google/genai';
import type { ChatUsage } from '../../../src/core/agents/chat/provider.ts';
import type { Answer, ErrorKind, Finish, Piece } from './outcomes.ts';
import type { Exchange, Message, Protocol, Transcript } from './protocol.ts';
import { encodeEvent } from './sse.ts';

/** The SDK's enums, as they are written. */
type Written<Type, Enums> = Omit<Type, keyof Enums> & Partial<Enums>;
type Chunk = Pick<GenerateContentResponse, 'modelVersion' | 'responseId'> & {
  candidates?: Written<Candidate, { finishReason: `${FinishReason}` }>[];
  promptFeedback?: Written<GenerateContentResponsePromptFeedback, { blockReason: 'SAFETY' }>;
  usageMetadata?: Written<
    GenerateContentResponseUsageMetadata,
    { promptTokensDetails: Written<ModalityTokenCount, { modality: `${MediaModality}` }>[] }
  >;
};

/** streamGenerateContent of Gemini. Google ends lines with CRLF. */
export const gemini: Protocol = {
  contentType: 'text/event-stream',
  transcript,
  error: (kind) => ({ name: null, data: { error: ERRORS[kind] } }),
  // An error may also stand between the events, as plain JSON.
  failure: () => ({ name: null, data: { error: ERRORS.server }, form: 'bare' }),
  encode: (message, wire) => encodeEvent(message, wire, '\r\n'),
};

/** There is no event that opens an answer: its first chunk has content already. */
function transcript({ pieces, finish, usage }: Answer, exchange: Exchange): Transcript {
  const chunk = (data: Chunk, told = usage && promptUsage(usage)): Message => ({
    name: null,
    data: {
      ...data,
      ...(told ? { usageMetadata: told } : {}),
      modelVersion: exchange.model,
      responseId: `fake${exchange.number}`,
    },
  });
  const say = (parts: Part[]) => chunk({ candidates: [{ content: { parts, role: 'model' }, index: 0 }] });
  const whole = usage && usageOf(usage);
  // A prompt that is blocked has no candidate at all.
  const blocked = finish === 'content_filter' && pieces.length === 0;
  return {
    opening: [],
    pieces: pieces.map((piece) => {
      const parts = partsOfPiece(piece);
      return parts.length > 0 ? [say(parts)] : [];
    }),
    closing: [
      blocked
        ? chunk({ promptFeedback: { blockReason: 'SAFETY', safetyRatings: [] } }, whole)
        : chunk(
            {
              candidates: [
                { content: { parts: [{ text: '' }], role: 'model' }, finishReason: FINISH[finish], index: 0 },
              ],
            },
            whole,
          ),
    ],
  };
}

function partsOfPiece(piece: Piece): Part[] {
  switch (piece.type) {
    case 'text':
    case 'refusal':
      return [{ text: piece.text }];
    case 'reasoning':
      return [
        {
          text: piece.text,
          thought: true,
          ...(piece.signature === undefined ? {} : { thoughtSignature: piece.signature }),
        },
      ];
    case 'toolCall': {
      const { id, name } = piece;
      const args = JSON.parse(piece.arguments) as Record<string, unknown>;
      return [{ functionCall: { ...(id === undefined ? {} : { id }), name, args }, thoughtSignature: 'ZmFrZQ==' }];
    }
    default:
      return [];
  }
}

/** Also an answer of function calls stops with STOP. */
const FINISH: Record<Finish, `${FinishReason}`> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  content_filter: 'SAFETY',
  pause_turn: 'STOP',
};

function promptUsage({ inputTokens, cachedInputTokens }: ChatUsage): Chunk['usageMetadata'] {
  return {
    promptTokenCount: inputTokens,
    totalTokenCount: inputTokens,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: inputTokens }],
    ...(cachedInputTokens === undefined ? {} : { cachedContentTokenCount: cachedInputTokens }),
  };
}

/** Thoughts are counted beside the candidates. */
function usageOf(usage: ChatUsage): Chunk['usageMetadata'] {
  const { inputTokens, outputTokens, reasoningTokens } = usage;
  return {
    ...promptUsage(usage),
    candidatesTokenCount: outputTokens - (reasoningTokens ?? 0),
    totalTokenCount: inputTokens + outputTokens,
    ...(reasoningTokens === undefined ? {} : { thoughtsTokenCount: reasoningTokens }),
  };
}

const ERRORS: Record<ErrorKind, { code: number; message: string; status: string }> = {
  server: { code: 500, message: 'An internal error has occurred.', status: 'INTERNAL' },
  overloaded: { code: 503, message: 'The model is overloaded. Please try again later.', status: 'UNAVAILABLE' },
  rateLimited: { code: 429, message: 'Resource has been exhausted.', status: 'RESOURCE_EXHAUSTED' },
};
