"""What papers and RFCs say of queues, run in the simulator, and what came out.

Each case has the set-up and the claim of one published result, numbered M as in the page that the
package writes, docs/validation/queues.md.
"""
