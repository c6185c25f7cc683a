import { t } from '../language/index.ts';
import { type Bound, bind } from '../ui/bind.ts';
import { TextArea, TextField } from '../ui/field.tsx';
import { nameOfTitle } from './values.ts';

interface TitleFieldsProps {
  part: Bound<{ title: string; name: string }>;
  /** A name never changes. */
  isNew: boolean;
  titlePlaceholder?: string | undefined;
  nameHelp?: string;
}

/** The title of something, and the name of something new. */
export function TitleFields({ part, isNew, titlePlaceholder, nameHelp = t('It never changes.') }: TitleFieldsProps) {
  const field = bind(part);
  return (
    <div className="fields">
      <TextField label={t('Title')} placeholder={titlePlaceholder} maxLength={200} {...field.text('title')} />
      {isNew && (
        <TextField
          label={t('Name')}
          help={`${nameHelp} ${t('If empty, it is made of the title.')}`}
          placeholder={nameOfTitle(part.form.title)}
          maxLength={100}
          {...field.text('name')}
        />
      )}
    </div>
  );
}

interface MeaningFieldsProps extends TitleFieldsProps {
  part: Bound<{ title: string; name: string; description: string }>;
  descriptionHelp: string;
}

/** The title, the name and the description of a metric or a segment. */
export function MeaningFields({ descriptionHelp, ...title }: MeaningFieldsProps) {
  return (
    <>
      <TitleFields {...title} />
      <TextArea
        label={t('Description')}
        help={descriptionHelp}
        maxLength={2_000}
        {...bind(title.part).text('description')}
      />
    </>
  );
}
