import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { Paging } from '../../../feed/list.tsx';
import { PAGE_SIZE, pageNumber } from '../../../feed/state.ts';
import { t } from '../../../language/index.ts';
import { forReaders } from '../../../shell/readers-page.tsx';
import { bytesText } from '../../../transcript/figures.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Badge, Item, ItemLink, ItemList } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import type { StoreChange } from '../dialogs.tsx';
import { STORES, type VectorStore } from '../knowledge.ts';
import { useWriteReason } from '../reasons.ts';
import { chunksInWords, documentsInWords } from '../words.ts';
import { NoStores } from './no-stores.tsx';

const route = getRouteApi('/shell/knowledge');
const StoreDialog = lazyDialog(() => import('../dialogs.tsx'));

/** The vector stores of the workspace. */
export const Knowledge = forReaders(t('Knowledge'), 'stores', 'knowledge:read', Stores);

function Stores() {
  const number = pageNumber(route.useSearch().page);
  const params = { query: { limit: PAGE_SIZE, offset: (number - 1) * PAGE_SIZE } };
  const query = api.useQuery('get', STORES, { params }, { placeholderData: keepPreviousData });
  const [change, setChange] = useState<StoreChange | null>(null);
  const reason = useWriteReason();
  const { data } = query;
  return (
    <>
      <PageHead title={t('Knowledge')}>
        <Button look="primary" icon="add" reason={reason} onClick={() => setChange({ kind: 'create' })}>
          {t('New vector store')}
        </Button>
      </PageHead>
      <div className="stack">
        <p className="muted">
          {t(
            'Documents that agents and people search. A vector store holds those of one subject; each passage that is found names its page, row or line.',
          )}
        </p>
        <QueryState query={query} height={320} />
        {data?.total === 0 && <NoStores reason={reason} />}
        {data && data.stores.length > 0 && (
          <ItemList label={t('Vector stores, by name')}>
            {data.stores.map((store) => (
              <StoreItem key={store.name} store={store} reason={reason} onChange={setChange} />
            ))}
          </ItemList>
        )}
        {data && <Paging label={t('Pages of vector stores')} number={number} total={data.total} />}
      </div>
      {change && <StoreDialog change={change} onClose={() => setChange(null)} />}
    </>
  );
}

interface StoreItemProps {
  store: VectorStore;
  reason: string | undefined;
  onChange(change: StoreChange): void;
}

function StoreItem({ store, reason, onChange }: StoreItemProps) {
  const { name, embedder, documents, chunks, size, createdAt } = store;
  return (
    <Item
      title={
        <ItemLink to="/knowledge/$store" params={{ store: name }}>
          {name}
        </ItemLink>
      }
      beside={<Badge tone="muted">{embedder === 'none' ? t('searched by words') : embedder}</Badge>}
      end={
        <Actions
          actions={[
            {
              ...{ label: t('Rename …'), name: t('Rename {name}', { name }), reason },
              onClick: () => onChange({ kind: 'rename', store }),
            },
            {
              ...{ label: t('Delete …'), name: t('Delete {name}', { name }), reason },
              onClick: () => onChange({ kind: 'delete', store }),
            },
          ]}
        />
      }
    >
      <p className="small">{[documentsInWords(documents), chunksInWords(chunks), bytesText(size)].join(' · ')}</p>
      <p className="small muted">{t.nodes('made {time}|a vector store', { time: <Time iso={createdAt} /> })}</p>
    </Item>
  );
}
