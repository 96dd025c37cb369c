// What the paper concludes, whether our runs agree, and why.

import { ask, queryNow, textOf } from "../query";
import type { Claim } from "./types";
import { VERDICTS, verdictOf, type Verdict } from "./verdicts";

const SIGNS: Readonly<Record<Verdict, string>> = { holds: "✓", "does not hold": "✗", undecided: "?", exploratory: "~", "not run": "–" };

const REACHED = "The paper ran every combination once. Reached by 35 %: so many of the tables drawn from our single runs lead to its conclusion by its own procedure. p is two-sided.";

export function Claims({ claims }: { claims: readonly Claim[] }) {
  if (claims.length === 0) return null;
  const only = textOf(queryNow(), "claims");
  const count = (verdict: Verdict) => claims.filter((each) => verdictOf(each) === verdict).length;
  const shown = claims.filter((each) => only === null || verdictOf(each) === only);
  const why = inCommon(claims);
  return (
    <section class="sheet" aria-labelledby="claims-title">
      <h2 id="claims-title">Claims of the paper</h2>
      <nav class="table-names" aria-label="Verdicts">
        <button type="button" aria-pressed={only === null} onClick={() => ask({ claims: null }, "claims")}>all {claims.length}</button>
        {VERDICTS.filter((each) => count(each) > 0).map((each) => (
          <button key={each} type="button" aria-pressed={only === each} onClick={() => ask({ claims: each }, "claims")}>
            <span aria-hidden="true">{SIGNS[each]}</span> {each} {count(each)}
          </button>
        ))}
      </nav>
      {why !== null && <p class="hint">{why}</p>}
      {claims.some((each) => each.reached) && <p class="hint">{REACHED}</p>}
      <ul class="claims">{shown.map((each) => <Item key={each.id} claim={each} isBare={why !== null} />)}</ul>
    </section>
  );
}

/** What is to be said of all claims alike, like that the study was not run; null: there is more to say. */
function inCommon(claims: readonly Claim[]): string | null {
  const [first] = claims;
  return claims.length > 1 && first && claims.every((each) => each.why === first.why) ? first.why : null;
}

function Item({ claim, isBare }: { claim: Claim; isBare: boolean }) {
  const verdict = verdictOf(claim);
  return (
    <li>
      <div>
        <span class={`verdict ${verdict.replaceAll(" ", "-")}`}><span aria-hidden="true">{SIGNS[verdict]}</span> {verdict}</span>
        {claim.p && <p class="hint">{claim.p}</p>}
        {claim.reached && <p class="hint">reached by {claim.reached}</p>}
      </div>
      <div>
        <p>{claim.text}{claim.source && <span class="hint"> (section {claim.source})</span>}</p>
        {!isBare && <p class="hint why">{claim.why}</p>}
      </div>
    </li>
  );
}
