import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { metricQuery, versionsQuery } from '../../../api/metrics.ts';
import { useSession } from '../../../api/session.ts';
import { NotAllowed } from '../../../editor/not-allowed.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { ErrorNotice, Loading } from '../../../ui/states.tsx';
import { Editor } from './editor.tsx';
import { emptyForm, formOf } from './state.ts';

const newRoute = getRouteApi('/shell/metrics/new-metric');
const editRoute = getRouteApi('/shell/metrics/$name/edit');

/** `question` of the address: what an agent asked and nobody could answer. */
export function NewMetric() {
  const { question } = newRoute.useSearch();
  const { can } = useSession();
  if (!can('metrics:write')) return <NotAllowed title="New metric" nouns="metrics" />;
  return (
    <Editor start={emptyForm()} metric={null}>
      {question !== undefined && (
        <p className="notice">
          An agent was asked: <q dir="auto">{question}</q>
        </p>
      )}
    </Editor>
  );
}

/** The form of the newest version; what is saved is the next one. */
export function EditMetric() {
  const { name } = editRoute.useParams();
  const { can } = useSession();
  const metric = useQuery(metricQuery(name));
  const versions = useQuery(versionsQuery(name));
  const title = `Edit ${metric.data?.metric.title ?? name}`;
  const error = metric.error ?? versions.error;
  if (!can('metrics:write')) return <NotAllowed title={title} nouns="metrics" />;
  const newest = versions.data?.versions[0];
  if (error || !metric.data || !newest) {
    return (
      <>
        <PageHead title={title} />
        {error ? (
          <ErrorNotice error={error} onRetry={() => void Promise.all([metric.refetch(), versions.refetch()])} />
        ) : (
          <Loading what="the metric" height={320} />
        )}
      </>
    );
  }
  return (
    <Editor key={`${name}@${newest.version}`} start={formOf(newest)} metric={metric.data.metric}>
      <p className="notice">
        This starts from version {newest.version}. Saving proposes version {newest.version + 1}; the name keeps its
        meaning until an administrator approves it.
      </p>
    </Editor>
  );
}
