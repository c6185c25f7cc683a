import { useQuery } from '@tanstack/react-query';
import { t } from '../../../language/index.ts';
import { Section } from '../../../ui/page-head.tsx';
import { limitsQuery, type VectorStore } from '../knowledge.ts';
import { tokensOf } from '../state.ts';
import { chunksInWords, documentsInWords } from '../words.ts';

/** How the store is searched, and what another embedder would change, before anybody sets one. */
export function EmbedderSection({ store }: { store: VectorStore }) {
  const { embedder, dimensions, documents, chunks } = store;
  const configured = useQuery(limitsQuery).data?.embedder;
  const isOther = configured !== undefined && configured !== embedder;
  return (
    <Section id="embedder" title={t('Embedder')}>
      <p>
        {embedder === 'none'
          ? t('None: searches match words, and no text goes to another server.')
          : dimensions === null
            ? t('{embedder}: searches match words and meaning.', { embedder })
            : t('{embedder}, {dimensions} dimensions: searches match words and meaning.', { embedder, dimensions })}
      </p>
      {isOther && (
        <p className="notice">
          {t(
            'The server is set up with {configured} now. This store is searched as before, and takes no files until AGENT_RUNTIME_EMBEDDER is {embedder} again. Put new files into another store.',
            {
              ...{ configured, embedder },
            },
          )}
        </p>
      )}
      {documents > 0 && (
        <details className="folded" open={isOther}>
          <summary>{t('What another embedder would change')}</summary>
          <ul className="stack tight">
            <li>
              {t(
                'The operator sets the embedder of new stores, AGENT_RUNTIME_EMBEDDER. A store keeps the one that it was made with: vectors of two models cannot be compared.',
              )}
            </li>
            <li>
              {t(
                'To change this one, make a store after the setting has changed, and upload all of it there: {documents}. The server does not keep the original files.',
                {
                  documents: documentsInWords(documents),
                },
              )}
            </li>
            <li>
              {t(
                'All of it is embedded again: {chunks}, at most about {tokens} tokens, which a provider charges at its price for embeddings. Without an embedder it costs nothing.',
                {
                  chunks: chunksInWords(chunks),
                  tokens: tokensOf(chunks),
                },
              )}
            </li>
            <li>
              {t(
                'Meanwhile this store is searched as before, with its own embedder; it takes no files while another one is set. Have agents search the new store, then delete this one.',
              )}
            </li>
          </ul>
        </details>
      )}
    </Section>
  );
}
