// What is selected in a list, and what can be done with all of it. It stays at the lower edge while the list scrolls.

import { useState, type ReactNode } from 'react';

import { Button } from '../../ui/button.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import type { Selection } from '../../ui/use-selection.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import type { BulkList, BulkOffer } from './bulk-offer.ts';
import { countText } from './bulk-words.ts';

/** Nothing while nothing is selected. `onDone` is called when a change has ended. */
export function BulkBar({
  selection,
  list,
  offers,
  onDone,
}: {
  selection: Selection;
  list: BulkList;
  offers: readonly BulkOffer[];
  onDone: () => void;
}): ReactNode {
  const [doing, setDoing] = useState<BulkOffer | null>(null);
  const { everything, keys, loaded } = selection;
  const all = list.total ? `${formatNumber(list.total.count)}${list.total.isExact ? '' : '+'}` : '';
  const close = () => setDoing(null);
  return (
    <>
      {keys.length === 0 ? null : (
        <div
          role="region"
          aria-label="Selected rows"
          className="bg-raised shadow-float sticky bottom-0 z-10 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-b-lg border-t px-5 py-3"
        >
          <span role="status" className="font-medium tabular-nums">
            {everything ? `All ${all} that match are selected` : `${formatNumber(keys.length)} selected`}
          </span>
          {!everything && loaded === 'all' && list.hasMore ? (
            <Button
              size="small"
              variant="quiet"
              className="text-accent-strong"
              onClick={selection.selectEverything}
            >
              Select all {all} that match
            </Button>
          ) : null}
          <Button size="small" variant="quiet" onClick={selection.clear}>
            Clear
          </Button>
          <span className="flex flex-wrap gap-2 sm:ml-auto">
            {offers.map((offer) => (
              <Button
                key={offer.action}
                size="small"
                icon={offer.icon}
                variant={offer.danger ? 'danger' : 'secondary'}
                onClick={() => setDoing(offer)}
              >
                {offer.label}
              </Button>
            ))}
          </span>
        </div>
      )}
      {doing === null ? null : (
        <BulkDialog
          offer={doing}
          noun={list.noun}
          rows={
            everything ? { filter: list.filter } : { [list.keys]: keys } // as many as the api takes; it says so of more
          }
          count={
            everything
              ? {
                  number: list.total?.isExact ? list.total.count : null,
                  text: `all ${all} ${list.noun.many} that match`,
                }
              : { number: keys.length, text: countText(keys.length, list.noun) }
          }
          onClose={close}
          onDone={onDone}
        />
      )}
    </>
  );
}
