// The columns of the list of rules.

import type { ReactNode } from 'react';

import type { AlertKindRowFragment, AlertRuleRowFragment } from '../../gen/pages/alerts/alerts.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { KIND_LABELS, thresholdText } from './alert-words.ts';

/** `edit` is null for who may change nothing. */
export function ruleColumns(
  kinds: readonly AlertKindRowFragment[],
  domains: readonly { id: string; name: string }[],
  edit: ((rule: AlertRuleRowFragment) => void) | null,
): Column<AlertRuleRowFragment>[] {
  const info = (rule: AlertRuleRowFragment) => kinds.find(({ kind }) => kind === rule.kind);
  const domainOf = (rule: AlertRuleRowFragment) =>
    rule.domainId === null
      ? info(rule)?.perDomain === true
        ? 'All domains without a rule of their own'
        : null
      : (domains.find(({ id }) => id === rule.domainId)?.name ?? rule.domainId);
  const columns: Column<AlertRuleRowFragment>[] = [
    {
      id: 'kind',
      header: 'Rule',
      cell: (rule) => (
        <>
          {KIND_LABELS[rule.kind]}
          {rule.enabled ? null : (
            <span className="ml-2">
              <Badge>off</Badge>
            </span>
          )}
          {domainOf(rule) === null ? null : (
            <span className="text-muted block font-normal break-words">{domainOf(rule)}</span>
          )}
        </>
      ),
    },
    {
      id: 'threshold',
      header: 'Alert at',
      cell: (rule) => thresholdText(rule.threshold, info(rule)?.unit),
    },
    { id: 'told', header: 'Notifies by', cell: (rule) => <ToldBy rule={rule} /> },
  ];
  if (edit === null) return columns;
  return [
    ...columns,
    {
      id: 'actions',
      header: 'Actions',
      hideLabel: true,
      align: 'right',
      cell: (rule) => (
        <Button
          size="small"
          onClick={() => edit(rule)}
          aria-label={`Edit ${[KIND_LABELS[rule.kind], domainOf(rule)].filter(Boolean).join(', ')}`}
        >
          Edit
        </Button>
      ),
    },
  ];
}

function ToldBy({ rule: { mail, chat } }: { rule: AlertRuleRowFragment }): ReactNode {
  if (!mail && !chat) return <span className="text-muted">webhooks only</span>;
  return (
    <span className="flex flex-wrap gap-1 max-sm:justify-end">
      {mail ? <Badge>email</Badge> : null}
      {chat ? <Badge>chat</Badge> : null}
    </span>
  );
}
