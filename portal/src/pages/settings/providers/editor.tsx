import { useState } from 'react';
import { answerOf, api, client } from '../../../api/client.ts';
import { invalidate } from '../../../api/session.ts';
import { type Versioned, versionedAnswerOf } from '../../../api/versions.ts';
import { BothVersions, useConcurrentEdit } from '../../../editor/concurrent-edit.tsx';
import { ReadFirst } from '../../../editor/edit-dialog.tsx';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { TextArea, typing } from '../../../ui/field.tsx';
import { DialogForm } from '../../../ui/form-dialog.tsx';
import { announce } from '../../../ui/toast.tsx';
import { ProviderFields } from './fields.tsx';
import { PROVIDERS, type Provider, type Vendor } from './providers.ts';
import {
  differencesOf,
  emptyForm,
  formOf,
  jsonOf,
  mergedForm,
  PATHS,
  type ProviderForm,
  requestOf,
  requestOfJson,
} from './state.ts';

/** The list is read anew. */
export const invalidateProviders = () => invalidate((path) => path === PROVIDERS);

export function NewProvider({ vendor, onClose }: { vendor: Vendor; onClose(): void }) {
  const edited = useEdited(emptyForm(vendor), false);
  const save = async () => {
    const name = edited.form.name.trim();
    if (name === '') throw { statusCode: 400, error: 'Bad Request', message: ['name: must not be empty'] };
    const header = { 'if-none-match': '*' };
    await answerOf(client.PUT(`${PROVIDERS}/{name}`, { params: { path: { name }, header }, body: edited.request() }));
    await invalidateProviders();
    announce(t('The provider {name} was added', { name }));
  };
  return (
    <DialogForm
      title={t('Add an LLM provider')}
      act={t('Add')}
      paths={edited.paths}
      isChanged={edited.isChanged}
      onSubmit={save}
      onClose={onClose}
    >
      {(messages) => <Members edited={edited} messages={messages} stored={null} />}
    </DialogForm>
  );
}

/** Reads the provider first: the list has no version. */
export function EditProvider({ name, onClose }: { name: string; onClose(): void }) {
  const read = () => versionedAnswerOf(client.GET(`${PROVIDERS}/{name}`, { params: { path: { name } } }));
  return (
    <ReadFirst title={t('Edit {title}', { title: name })} kind="provider" id={name} read={read} onClose={onClose}>
      {(stored) => <EditForm first={stored} read={read} onClose={onClose} />}
    </ReadFirst>
  );
}

interface EditFormProps {
  first: Versioned<Provider>;
  read(): Promise<Versioned<Provider>>;
  onClose(): void;
}

function EditForm({ first, read, onClose }: EditFormProps) {
  const { name, apiKey } = first.data.definition;
  const [start, setStart] = useState(() => formOf(first.data.definition));
  const edited = useEdited(start, apiKey === 'set');
  const { send, theirs, forget } = useConcurrentEdit(first, read, ({ definition }) => {
    const current = formOf(definition);
    edited.replace(mergedForm(edited.current(), start, current));
    setStart(current);
  });
  const save = async () => {
    const body = edited.request();
    const path = { name };
    await send((etag) =>
      answerOf(client.PUT(`${PROVIDERS}/{name}`, { params: { path, header: { 'if-match': etag } }, body })),
    );
    await invalidateProviders();
    announce(t('The provider {name} was saved', { name }));
  };
  const take = () => {
    edited.replace(start);
    forget();
  };
  return (
    <DialogForm
      title={t('Edit {title}', { title: name })}
      act={t('Save')}
      paths={edited.paths}
      isChanged={edited.isChanged}
      onSubmit={save}
      onClose={onClose}
      conflict={theirs && <BothVersions members={differencesOf(edited.current(), start)} onTakeTheirs={take} />}
    >
      {(messages) => <Members edited={edited} messages={messages} stored={first.data} />}
    </DialogForm>
  );
}

/** A form that can be edited as JSON, too. */
function useEdited(start: ProviderForm, hasKey: boolean) {
  const [form, setForm] = useState(start);
  const [json, setJson] = useState<string | null>(null);
  const { data } = api.useQuery('get', PROVIDERS);
  const vendorOf = (name: string) =>
    data?.providers.find(({ definition }) => definition.name === name)?.definition.provider;
  const request = () => (json === null ? requestOf(form, vendorOf) : requestOfJson(json));
  const asJson = (of: ProviderForm) => jsonOf(requestOf(of, vendorOf), hasKey);
  return {
    form,
    json,
    setJson,
    isChanged: (json !== null && json !== asJson(form)) || JSON.stringify(form) !== JSON.stringify(start),
    request,
    /** The members as the fields show them, or would. */
    current: () => (json === null ? form : (formOfJson(json, form.name) ?? form)),
    change: (members: Partial<ProviderForm>) => setForm((before) => ({ ...before, ...members })),
    replace: (next: ProviderForm) => {
      setForm(next);
      if (json !== null) setJson(asJson(next));
    },
    toJson: () => setJson(asJson(form)),
    toFields: () => {
      setForm(formOf({ ...requestOfJson(json!), name: form.name }));
      setJson(null);
    },
    /** In JSON only the name has a field. */
    paths: json === null ? PATHS : ['name'],
  };
}

function formOfJson(json: string, name: string): ProviderForm | null {
  try {
    return formOf({ ...requestOfJson(json), name });
  } catch {
    return null;
  }
}

type Edited = ReturnType<typeof useEdited>;

interface MembersProps {
  edited: Edited;
  messages: Parameters<typeof ProviderFields>[0]['messages'];
  stored: Provider | null;
}

function Members({ edited, messages, stored }: MembersProps) {
  const { form, json, change, setJson } = edited;
  const [fault, setFault] = useState<string | null>(null);
  const toFields = () => {
    try {
      edited.toFields();
      setFault(null);
    } catch (error) {
      setFault(error instanceof Error ? error.message : t('This has no fields.'));
    }
  };
  return (
    <>
      <ProviderFields form={form} messages={messages} stored={stored} onlyName={json !== null} onChange={change} />
      {json !== null && (
        <TextArea
          label={t('Definition as JSON')}
          help={t('All members, as docs/providers.md lists them. A secret that says set stays; null removes the key.')}
          {...typing(json, setJson)}
          error={fault ?? undefined}
          rows={16}
          spellCheck={false}
        />
      )}
      <div className="row">
        {json === null ? (
          <Button icon="code" onClick={edited.toJson}>
            {t('All members as JSON')}
          </Button>
        ) : (
          <Button onClick={toFields}>{t('Back to the fields')}</Button>
        )}
      </div>
    </>
  );
}
