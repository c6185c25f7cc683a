import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useId, useRef, useState } from 'react';
import { answerOf, client } from '../../../api/client.ts';
import { statusOf } from '../../../api/errors.ts';
import { fieldMessages } from '../../../api/field-messages.ts';
import { t } from '../../../language/index.ts';
import { bind } from '../../../ui/bind.ts';
import { Button } from '../../../ui/button.tsx';
import { Form, TextArea, TextField } from '../../../ui/field.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { OtherMessages, useFocusOnRefusal, useTask } from '../../../ui/refusal.tsx';
import { ErrorNotice, QueryState } from '../../../ui/states.tsx';
import { announce } from '../../../ui/toast.tsx';
import { forAdministrators } from '../../settings/administrator-page.tsx';
import { CONNECTORS, connectorQuery, connectorsChanged, putConnector } from '../connectors.ts';
import { type Preview, PreviewOfImport } from './preview.tsx';

const route = getRouteApi('/shell/connectors/$slug/import');
const ONLY = t('Only administrators import connectors.');

export const ImportConnector = forAdministrators(t('Import OpenAPI'), ONLY, () => <Import stored={null} />);
export const ImportAgain = forAdministrators(t('Import OpenAPI'), ONLY, StoredImport);

function StoredImport() {
  const { slug } = route.useParams();
  const query = useQuery(connectorQuery(slug));
  if (query.data) return <Import key={slug} stored={{ slug, etag: query.data.etag }} />;
  return (
    <>
      <PageHead title={t('Import OpenAPI')} />
      <QueryState query={query} height={320} />
    </>
  );
}

interface ImportProps {
  /** The connector that is updated; null for a new one. */
  stored: { slug: string; etag: string } | null;
}

const START = { slug: '', document: '', baseUrl: '' };
const PATHS = Object.keys(START);

function Import({ stored }: ImportProps) {
  const [form, setForm] = useState({ ...START, slug: stored?.slug ?? '' });
  const [preview, setPreview] = useState<Preview | null>(null);
  const { error, isBusy, run } = useTask();
  const navigate = useNavigate();
  const element = useRef<HTMLFormElement>(null);
  useFocusOnRefusal(element, error);
  const messages = fieldMessages(error, PATHS);
  const slug = form.slug.trim();
  const read = async () => {
    if (slug === '') throw { statusCode: 400, error: 'Bad Request', message: ['slug: must not be empty'] };
    const body = {
      document: form.document,
      ...(form.baseUrl.trim() !== '' && { baseUrl: form.baseUrl.trim() }),
    };
    const params = { path: { slug } };
    setPreview(await answerOf(client.POST(`${CONNECTORS}/{slug}/import-preview`, { params, body })));
  };
  const save = async () => {
    const expected = stored ? { 'if-match': stored.etag } : { 'if-none-match': '*' };
    await putConnector(slug, preview!.definition, expected);
    await connectorsChanged();
    announce(t('The connector was imported'));
    await navigate({ to: '/connectors/$slug', params: { slug } });
  };
  // A preview is that of the form it was made of.
  const onChange = (members: Partial<typeof START>) => {
    setForm((before) => ({ ...before, ...members }));
    setPreview(null);
  };
  const field = bind({ form, messages, onChange });
  return (
    <Form ref={element} className="narrow stack" aria-label={t('Import OpenAPI')} onSubmit={() => void run(read)}>
      <PageHead title={stored ? t('Import {slug} again', { slug: stored.slug }) : t('Import OpenAPI')} />
      <p className="muted">
        {t(
          'Each operation of an OpenAPI document becomes a call that agents can make. Nothing is stored before you have seen what changes.',
        )}
      </p>
      {stored === null && (
        <TextField
          label={t('Slug')}
          help={t('Calls name it by this. It cannot be changed.')}
          maxLength={100}
          autoComplete="off"
          {...field.text('slug')}
        />
      )}
      <DocumentField field={field} onFile={(document) => onChange({ document })} />
      <div className="fields">
        <TextField
          label={t('Address of the API')}
          help={t('Empty: the address in the document.')}
          inputMode="url"
          {...field.text('baseUrl')}
        />
      </div>
      {error !== null && statusOf(error) !== 400 && <ErrorNotice error={error} />}
      <OtherMessages messages={messages.others} />
      <div className="row">
        <Button type="submit" look={preview ? 'plain' : 'primary'} disabled={isBusy}>
          {t('Show what it makes')}
        </Button>
      </div>
      {preview && (
        <PreviewOfImport preview={preview} isNew={stored === null} isBusy={isBusy} onSave={() => void run(save)} />
      )}
    </Form>
  );
}

interface DocumentFieldProps {
  field: ReturnType<typeof bind<typeof START>>;
  onFile(text: string): void;
}

function DocumentField({ field, onFile }: DocumentFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File | undefined) => {
    if (file) onFile(await file.text());
  };
  return (
    <div className="stack tight">
      <TextArea
        label={t('OpenAPI document')}
        help={t('Version 3.0 or 3.1, as JSON or YAML. Paste it, or choose a file.')}
        rows={10}
        spellCheck={false}
        {...field.text('document')}
        className="input code-input"
      />
      <div className="row">
        <Button onClick={() => input.current?.click()}>{t('Choose a file')}</Button>
        <label htmlFor={id} className="visually-hidden">
          {t('OpenAPI file')}
        </label>
        <input
          ref={input}
          id={id}
          className="visually-hidden"
          type="file"
          tabIndex={-1}
          accept=".json,.yaml,.yml,application/json"
          onChange={({ currentTarget }) => {
            void read(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
      </div>
    </div>
  );
}
