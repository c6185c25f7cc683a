import { invalid } from '../../core/shared/errors.ts';
import type { Limits, Use } from './model.ts';
import { listOf } from './response.ts';

/** What a family of models takes and gives. */
export interface Family {
  limits: Limits;
  body(texts: readonly string[], use: Use, dimensions: number | null): object;
  vectors(answer: Record<string, unknown>): readonly unknown[];
}

/** One text per request, of 8,192 tokens, which are that many bytes at least. */
const TITAN: Family = {
  limits: { maxTexts: 1, maxBytes: 8_192, maxTextBytes: 8_192, maxRequests: 8 },
  body: ([inputText], _use, dimensions) => ({
    inputText,
    ...(dimensions === null ? {} : { dimensions }),
    normalize: true,
  }),
  vectors: ({ embedding }) => [embedding],
};

const INPUT_TYPES: Record<Use, string> = { document: 'search_document', query: 'search_query' };

/** Refuses a text with more characters, and tokens beyond 512 it leaves out if told to. */
const COHERE_3_CHARACTERS = 2_048;

const COHERE_3: Family = {
  limits: { maxTexts: 96, maxBytes: 300_000, maxTextBytes: 8_192, maxRequests: 4 },
  body: (texts, use) => ({
    texts: texts.map((text) => text.slice(0, COHERE_3_CHARACTERS).toWellFormed()),
    input_type: INPUT_TYPES[use],
    truncate: 'END',
  }),
  vectors: ({ embeddings }) => floatsOf(embeddings),
};

const COHERE_4: Family = {
  limits: COHERE_3.limits,
  body: (texts, use, dimensions) => ({
    texts,
    input_type: INPUT_TYPES[use],
    truncate: 'RIGHT',
    embedding_types: ['float'],
    ...(dimensions === null ? {} : { output_dimension: dimensions }),
  }),
  vectors: ({ embeddings }) => floatsOf(embeddings),
};

/** By the name of the model, which may stand behind that of a region or within an ARN. */
const FAMILIES: [RegExp, Family][] = [
  [/\bamazon\.titan-embed-text-v2:/, TITAN],
  [/\bcohere\.embed-(english|multilingual)-v3/, COHERE_3],
  [/\bcohere\.embed-v4/, COHERE_4],
];

/** Throws `invalid` for a model that is none of theirs. */
export function familyOf(model: string): Family {
  const family = FAMILIES.find(([names]) => names.test(model))?.[1];
  if (family) return family;
  throw invalid(
    `embedder: ${JSON.stringify(model)} is none of the models of Bedrock that are known here: amazon.titan-embed-text-v2:0, cohere.embed-english-v3, cohere.embed-multilingual-v3, cohere.embed-v4:0`,
  );
}

/** A list, or a list for each kind of number that was asked for. */
function floatsOf(embeddings: unknown): readonly unknown[] {
  return listOf(Array.isArray(embeddings) ? embeddings : (embeddings as { float?: unknown } | undefined)?.float);
}
