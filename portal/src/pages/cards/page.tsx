import { getRouteApi, Link } from '@tanstack/react-router';
import { api, type Schemas } from '../../api/client.ts';
import { CARDS } from '../../api/dashboards.ts';
import { t } from '../../language/index.ts';
import { lastTab } from '../../shell/remembered.ts';
import { UnreadPage } from '../../ui/unread-page.tsx';
import { Builder, type BuilderStart } from './builder.tsx';
import { formOf } from './config.ts';
import { formOfJson } from './json.ts';
import { emptyForm } from './state.ts';

const newRoute = getRouteApi('/shell/cards/new');
const editRoute = getRouteApi('/shell/cards/$id');

/** A new card: empty, from another card (`copy`), or from a question that was asked elsewhere (`config`). */
export function NewCard() {
  const { tab = lastTab() ?? '', copy, config } = newRoute.useSearch();
  if (copy !== undefined) return <CardLoader key={copy} id={copy} isCopy />;
  const read = config === undefined ? null : formOfJson(config);
  const isUnreadable = read !== null && 'fault' in read;
  const start: BuilderStart = {
    form: read === null || isUnreadable ? emptyForm() : read.form,
    title: read === null || isUnreadable ? '' : (read.title ?? ''),
    tabId: tab,
    agentId: undefined,
  };
  return (
    <>
      {isUnreadable && <p className="notice">{t('The card in this address cannot be read. Here is an empty one.')}</p>}
      <Builder key={config ?? ''} start={start} card={null} />
    </>
  );
}

export function EditCard() {
  const { id } = editRoute.useParams();
  return <CardLoader key={id} id={id} isCopy={false} />;
}

function CardLoader({ id, isCopy }: { id: string; isCopy: boolean }) {
  const query = api.useQuery('get', `${CARDS}/{id}`, { params: { path: { id } } }, { staleTime: 0 });
  const { data } = query;
  if (data) return <Builder start={startOf(data.card, isCopy)} card={isCopy ? null : data.card} />;
  return (
    <UnreadPage title={isCopy ? t('New card') : t('Card')} missing={t('There is no such card')} query={query}>
      <Link to="/">{t('Go to the dashboards')}</Link>
    </UnreadPage>
  );
}

function startOf({ cardType, config, title, tabId, agentId }: Schemas['Card'], isCopy: boolean): BuilderStart {
  return {
    form: formOf(cardType, config),
    title: isCopy ? t('{title} (copy)', { title: title.slice(0, 190) }).toWellFormed() : title,
    tabId: tabId ?? '',
    agentId,
  };
}
