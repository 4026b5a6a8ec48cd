// The history of a template: who saved what when, what differs from now, and going back.

import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import {
  RestoreTemplateVersionDocument,
  TemplateContentAtDocument,
  TemplateVersionsDocument,
  type TemplateDetailFragment,
  type TemplateVersionsQuery,
} from '../../gen/pages/templates/template.ts';
import { useConnection } from '../../graphql/use-connection.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Address } from '../../ui/address.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FormError } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { ContentDiff } from './content-diff.tsx';

/** `unsaved`: a restore would take changes away that were not saved, so it is not offered. */
export function VersionsDialog({
  template,
  unsaved,
  onClose,
  onRestored,
}: {
  template: TemplateDetailFragment;
  unsaved: boolean;
  onClose: () => void;
  onRestored: (template: TemplateDetailFragment, from: number) => void;
}): ReactNode {
  const [shown, setShown] = useState(Math.max(1, template.version - 1));
  const { canWrite } = useViewer();
  const restoring = useMutationForm(RestoreTemplateVersionDocument);
  const restore = async () => {
    const input = { id: template.id, version: shown, expectedVersion: template.version };
    const done = await restoring.run({ input });
    if (done) onRestored(done.restoreTemplateVersion.template, shown);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      width="large"
      title="Versions"
      description="Each save with new content is a version. Restoring one makes a new version with its content."
    >
      <div className="grid gap-5 sm:grid-cols-[15rem_minmax(0,1fr)]">
        <VersionList template={template} shown={shown} onShow={setShown} />
        <div className="min-w-0">
          <h2 className="mb-3 font-medium">
            {shown === template.version
              ? `Version ${shown} is the current one`
              : `From version ${shown} to version ${template.version}`}
          </h2>
          <Difference template={template} version={shown} />
          <div className="mt-4">
            <FormError message={restoring.error} />
          </div>
          {shown === template.version || !canWrite ? null : (
            <DialogFooter>
              {unsaved ? (
                <p className="text-muted mr-auto">Save or discard your changes before you restore.</p>
              ) : null}
              <Button
                variant="primary"
                disabled={unsaved}
                busy={restoring.running}
                onClick={() => void restore()}
              >
                Restore version {shown}
              </Button>
            </DialogFooter>
          )}
        </div>
      </div>
    </Dialog>
  );
}

type Version = NonNullable<TemplateVersionsQuery['template']>['versions']['edges'][number]['node'];

function VersionList({
  template,
  shown,
  onShow,
}: {
  template: TemplateDetailFragment;
  shown: number;
  onShow: (version: number) => void;
}): ReactNode {
  const connection = useConnection({
    query: TemplateVersionsDocument,
    variables: { id: template.id },
    pick: (data: TemplateVersionsQuery) => data.template!.versions,
    typename: 'Template',
  });
  if (connection.error) return <ErrorState error={connection.error} onRetry={connection.refresh} />;
  if (connection.loading) return <Skeleton className="h-40 w-full" />;
  return (
    <div>
      <ul aria-label="Versions" className="max-h-[26rem] space-y-1 overflow-y-auto max-sm:max-h-52">
        {connection.nodes.map((version) => (
          <li key={version.version}>
            <VersionButton
              version={version}
              current={version.version === template.version}
              shown={version.version === shown}
              onShow={() => onShow(version.version)}
            />
          </li>
        ))}
      </ul>
      {connection.hasMore ? (
        <Button size="small" busy={connection.loadingMore} onClick={connection.loadMore}>
          Load more
        </Button>
      ) : null}
    </div>
  );
}

function VersionButton({
  version: { version, createdAt, createdBy, restoredFrom },
  current,
  shown,
  onShow,
}: {
  version: Version;
  current: boolean;
  shown: boolean;
  onShow: () => void;
}): ReactNode {
  return (
    <button
      type="button"
      aria-pressed={shown}
      onClick={onShow}
      className={cx('w-full rounded-md px-3 py-2 text-left', shown ? 'bg-accent-soft' : 'hover:bg-subtle')}
    >
      <span className="flex items-center gap-2 font-medium">
        Version {version}
        {current ? <Badge>current</Badge> : null}
      </span>
      <span className="text-muted block text-[13px]">
        <Time value={createdAt} />
        {createdBy ? (
          <>
            {' by '}
            <Address>{createdBy}</Address>
          </>
        ) : null}
        {restoredFrom ? `, restored from version ${restoredFrom}` : ''}
      </span>
    </button>
  );
}

function Difference({ template, version }: { template: TemplateDetailFragment; version: number }): ReactNode {
  const [{ data, error, fetching }, again] = useQuery({
    query: TemplateContentAtDocument,
    variables: { id: template.id, version },
  });
  const content = data?.template?.contentAt;
  if (error) return <ErrorState error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />;
  if (!content || fetching) return <Skeleton className="h-40 w-full" />;
  return <ContentDiff before={content} after={template} />;
}
