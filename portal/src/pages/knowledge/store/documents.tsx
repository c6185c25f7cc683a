import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { Paging } from '../../../feed/list.tsx';
import { PAGE_SIZE, pageNumber } from '../../../feed/state.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Rows } from '../../../ui/item-list.tsx';
import { SearchField } from '../../../ui/list-page.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { DOCUMENTS, JOBS, type StoredDocument, type VectorStore } from '../knowledge.ts';
import { DeleteDocuments } from './delete-documents.tsx';
import { DocumentItem } from './document-item.tsx';
import { FailedFiles } from './failed.tsx';

const route = getRouteApi('/shell/knowledge/$store');

interface DocumentsProps {
  store: VectorStore;
  reason: string | undefined;
}

/** The documents of the store, or why files are none. */
export function Documents({ store, reason }: DocumentsProps) {
  const { state } = route.useSearch();
  const setSearch = useSetSearch();
  const params = { path: { name: store.name }, query: { status: 'failed' as const, limit: 1 } };
  const failed = api.useQuery('get', JOBS, { params }).data?.total ?? 0;
  const isFailed = state === 'failed';
  return (
    <Section id="documents" title={t('Documents')} className="stack">
      <div className="fields">
        {!isFailed && <SearchField label={t('Search documents by name')} />}
        <SelectField<'' | 'failed'>
          label={t('State')}
          value={isFailed ? 'failed' : ''}
          options={[
            { value: '', label: t('In the store') },
            { value: 'failed', label: t('Failed ({count})', { count: failed }) },
          ]}
          onChoose={(next) => setSearch({ state: next || undefined, page: undefined })}
        />
      </div>
      {failed > 0 && !isFailed && (
        <p className="notice">
          <Link to="." search={(before) => ({ ...before, state: 'failed', page: undefined })} resetScroll={false}>
            {t.count(failed, '{count} file failed: see why', '{count} files failed: see why')}
          </Link>
        </p>
      )}
      {isFailed ? <FailedFiles store={store.name} /> : <DocumentList store={store} reason={reason} />}
    </Section>
  );
}

function DocumentList({ store: { name }, reason }: DocumentsProps) {
  const { search, page } = route.useSearch();
  const number = pageNumber(page);
  const asked = { limit: PAGE_SIZE, offset: (number - 1) * PAGE_SIZE, ...(search && { search }) };
  const params = { path: { name }, query: asked };
  const query = api.useQuery('get', DOCUMENTS, { params }, { placeholderData: keepPreviousData });
  const [chosen, setChosen] = useState<ReadonlyMap<string, StoredDocument>>(new Map());
  const [deleted, setDeleted] = useState<readonly StoredDocument[] | null>(null);
  const choose = (document: StoredDocument, isChosen: boolean) => {
    const next = new Map(chosen);
    if (isChosen) next.set(document.documentId, document);
    else next.delete(document.documentId);
    setChosen(next);
  };
  const { data } = query;
  return (
    <>
      {chosen.size > 0 && (
        <div className="row">
          <Button icon="trash" look="danger" onClick={() => setDeleted([...chosen.values()])}>
            {t.count(chosen.size, 'Delete {count} document …', 'Delete {count} documents …')}
          </Button>
          <Button onClick={() => setChosen(new Map())}>{t('Choose none')}</Button>
        </div>
      )}
      <QueryState query={query} height={320} />
      <Rows
        label={t('Documents, the newest first')}
        rows={data?.documents}
        total={data?.total}
        none={search ? t('No document matches') : t('No document yet')}
        next={
          <p>
            {search
              ? t('Search for another part of the name.')
              : t('Add files above: they can be found once they are ingested.')}
          </p>
        }
      >
        {(document) => (
          <DocumentItem
            key={document.documentId}
            store={name}
            document={document}
            reason={reason}
            isChosen={chosen.has(document.documentId)}
            onChoose={(isChosen) => choose(document, isChosen)}
            onDelete={() => setDeleted([document])}
          />
        )}
      </Rows>
      {data && <Paging label={t('Pages of documents')} number={number} total={data.total} />}
      {deleted && (
        <DeleteDocuments
          store={name}
          documents={deleted}
          onDeleted={() => setChosen(new Map())}
          onClose={() => setDeleted(null)}
        />
      )}
    </>
  );
}
