import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { forReaders } from '../../../shell/readers-page.tsx';
import { bytesText } from '../../../transcript/figures.ts';
import { Button } from '../../../ui/button.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { UnreadPage } from '../../../ui/unread-page.tsx';
import type { StoreChange } from '../dialogs.tsx';
import { STORE, type VectorStore } from '../knowledge.ts';
import { useWriteReason } from '../reasons.ts';
import { Uploads } from '../uploads/panel.tsx';
import { chunksInWords, documentsInWords } from '../words.ts';
import { DocumentDrawer } from './document-drawer.tsx';
import { Documents } from './documents.tsx';
import { EmbedderSection } from './embedder.tsx';
import { Ingestion } from './ingestion.tsx';
import { Search } from './search.tsx';

const route = getRouteApi('/shell/knowledge/$store');
const StoreDialog = lazyDialog(() => import('../dialogs.tsx'));

/** A vector store: searched, filled and looked after. */
export const KnowledgeStore = forReaders(t('Knowledge'), 'stores', 'knowledge:read', StoreOfAddress);

function StoreOfAddress() {
  const { store: name } = route.useParams();
  const query = api.useQuery('get', STORE, { params: { path: { name } } });
  if (query.data) return <Store store={query.data} />;
  return (
    <UnreadPage title={name} missing={t('There is no such vector store')} query={query}>
      <Link to="/knowledge">{t('Show all vector stores')}</Link>
    </UnreadPage>
  );
}

function Store({ store }: { store: VectorStore }) {
  const { name, documents, chunks, size } = store;
  const { document } = route.useSearch();
  const [change, setChange] = useState<StoreChange | null>(null);
  const reason = useWriteReason();
  return (
    <>
      <PageHead title={name}>
        <Button icon="edit" reason={reason} onClick={() => setChange({ kind: 'rename', store })}>
          {t('Rename …')}
        </Button>
        <Button icon="trash" reason={reason} onClick={() => setChange({ kind: 'delete', store })}>
          {t('Delete …')}
        </Button>
      </PageHead>
      <div className="stack">
        <p className="muted">
          <Link to="/knowledge">{t('All vector stores')}</Link> ·{' '}
          {[documentsInWords(documents), chunksInWords(chunks), bytesText(size)].join(' · ')}
        </p>
        <Search store={store} />
        <Uploads store={store} />
        <Ingestion store={store} />
        <Documents store={store} reason={reason} />
        <EmbedderSection store={store} />
      </div>
      {document !== undefined && <DocumentDrawer key={document} store={name} documentId={document} />}
      {change && <StoreDialog change={change} onClose={() => setChange(null)} />}
    </>
  );
}
