import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../../../api/use-session.ts';
import { PageHead } from '../../../ui/page-head.tsx';
import { ErrorNotice, Loading } from '../../../ui/states.tsx';
import { segmentQuery } from '../segments.ts';
import { Editor } from './editor.tsx';
import { emptyForm, formOf } from './state.ts';

const editRoute = getRouteApi('/shell/segments/$name/edit');

export function NewSegment() {
  const { can } = useSession();
  if (!can('metrics:write')) return <NotAllowed title="New segment" />;
  return <Editor start={emptyForm()} segment={null} />;
}

export function EditSegment() {
  const { name } = editRoute.useParams();
  const { can } = useSession();
  const { data, error, refetch } = useQuery(segmentQuery(name));
  if (!can('metrics:write')) return <NotAllowed title="Edit segment" />;
  if (data) return <Editor key={name} start={formOf(data.segment)} segment={data.segment} />;
  return (
    <>
      <PageHead title="Edit segment" />
      {error ? (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the segment" height={320} />
      )}
    </>
  );
}

function NotAllowed({ title }: { title: string }) {
  return (
    <>
      <PageHead title={title} />
      <p className="notice">
        Your role lets you look at segments, not change them. An administrator can give you a role that may.
      </p>
    </>
  );
}
