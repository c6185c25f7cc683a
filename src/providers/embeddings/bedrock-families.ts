import { invalid } from '../../core/base/shared/errors.ts';
import type { Limits, Use } from './model.ts';
import { listOf } from './model.ts';

export interface Family {
  limits: Limits;
  body(texts: readonly string[], use: Use, dimensions: number | null): object;
  vectors(answer: Record<string, unknown>): readonly unknown[];
}

/** Up to 8,192 tokens per text; a token has at least one byte. */
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

/** The API refuses more. `truncate` cuts to 512 tokens. */
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

/** The model's name may follow a region or be part of an ARN. */
const FAMILIES: [RegExp, Family][] = [
  [/\bamazon\.titan-embed-text-v2:/, TITAN],
  [/\bcohere\.embed-(english|multilingual)-v3/, COHERE_3],
  [/\bcohere\.embed-v4/, COHERE_4],
];

/** Throws `invalid` for an unknown model. */
export function familyOf(model: string): Family {
  const family = FAMILIES.find(([names]) => names.test(model))?.[1];
  if (family) return family;
  throw invalid(
    `embedder: ${JSON.stringify(model)} is none of the models of Bedrock that are known here: amazon.titan-embed-text-v2:0, cohere.embed-english-v3, cohere.embed-multilingual-v3, cohere.embed-v4:0`,
  );
}

function floatsOf(embeddings: unknown): readonly unknown[] {
  return listOf(Array.isArray(embeddings) ? embeddings : (embeddings as { float?: unknown } | undefined)?.float);
}
