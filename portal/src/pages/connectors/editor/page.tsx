import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { Versioned } from '../../../api/versions.ts';
import { BothVersions, useConcurrentEdit } from '../../../editor/concurrent-edit.tsx';
import { t } from '../../../language/index.ts';
import { announce } from '../../../ui/toast.tsx';
import { UnreadPage } from '../../../ui/unread-page.tsx';
import { forAdministrators } from '../../settings/administrator-page.tsx';
import { connectorQuery, connectorsChanged, putConnector, readConnector } from '../connectors.ts';
import type { Definition } from '../types.ts';
import { type Draft, EMPTY } from './definition.ts';
import { DefinitionForm } from './form.tsx';
import { differencesOf, mergedDraft } from './merging.ts';
import { useDraft } from './use-draft.ts';

const route = getRouteApi('/shell/connectors/$slug/edit');
const ONLY = t('Only administrators change connectors.');

export const NewConnector = forAdministrators(t('New connector'), ONLY, NewForm);
export const EditConnector = forAdministrators(t('Edit a connector'), ONLY, EditPage);

function NewForm() {
  const edited = useDraft({ slug: '', ...EMPTY });
  const navigate = useNavigate();
  const save = async (draft: Draft) => {
    const slug = (draft.slug ?? '').trim();
    if (slug === '') throw { statusCode: 400, error: 'Bad Request', message: ['slug: must not be empty'] };
    await putConnector(slug, { ...draft, slug }, { 'if-none-match': '*' });
    edited.saved();
    await connectorsChanged();
    announce(t('The connector was created'));
    await navigate({ to: '/connectors/$slug', params: { slug } });
  };
  return <DefinitionForm title={t('New connector')} act={t('Create connector')} isNew edited={edited} onSave={save} />;
}

function EditPage() {
  const { slug } = route.useParams();
  const query = useQuery({ ...connectorQuery(slug), staleTime: Infinity, gcTime: 0 });
  if (query.data) return <EditForm key={slug} slug={slug} first={query.data} />;
  return (
    <UnreadPage title={t('Edit {name}', { name: slug })} missing={t('There is no such connector')} query={query}>
      <Link to="/connectors">{t('All connectors')}</Link>
    </UnreadPage>
  );
}

function EditForm({ slug, first }: { slug: string; first: Versioned<{ definition: Definition }> }) {
  const edited = useDraft(first.data.definition);
  const navigate = useNavigate();
  const { send, theirs, forget } = useConcurrentEdit(
    first,
    () => readConnector(slug),
    ({ definition }) => {
      edited.rebase(definition, mergedDraft(edited.draft, edited.start, definition));
    },
  );
  const save = async (draft: Draft) => {
    await send((etag) => putConnector(slug, { ...draft, slug }, { 'if-match': etag }));
    edited.saved();
    await connectorsChanged();
    announce(t('The connector was saved'));
    await navigate({ to: '/connectors/$slug', params: { slug } });
  };
  const take = () => {
    edited.replace(edited.start);
    forget();
  };
  const conflict = theirs && (
    <BothVersions members={differencesOf(edited.draft, theirs.definition)} onTakeTheirs={take} />
  );
  return (
    <DefinitionForm
      title={t('Edit {name}', { name: first.data.definition.name })}
      act={t('Save')}
      isNew={false}
      edited={edited}
      conflict={conflict}
      onSave={save}
    />
  );
}
