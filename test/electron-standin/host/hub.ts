/** Where an end of a pair of ports is: in this process, in a page, in a utility process. */
export interface Place {
  deliver(id: string, data: unknown): void;
  closed(id: string): void;
}

interface End {
  readonly peer: string;
  readonly place: Place;
}

/** All pairs of ports: every message passes here, in the process that knows all places. */
const ends = new Map<string, End>();

export const hub = {
  pair(first: string, firstPlace: Place, second: string, secondPlace: Place): void {
    ends.set(first, { peer: second, place: firstPlace });
    ends.set(second, { peer: first, place: secondPlace });
  },
  move(id: string, place: Place): void {
    const end = ends.get(id);
    if (!end) throw new Error("This port was already passed on or closed.");
    ends.set(id, { ...end, place });
  },
  post(from: string, data: unknown): void {
    const peer = ends.get(from)?.peer;
    if (peer !== undefined) ends.get(peer)?.place.deliver(peer, data);
  },
  close(id: string): void {
    const end = ends.get(id);
    if (!end) return;
    ends.delete(id);
    const other = ends.get(end.peer);
    ends.delete(end.peer);
    other?.place.closed(end.peer);
  },
  /** A page was left or a process ended: whatever ports were there are closed. */
  closeAll(place: Place): void {
    for (const [id, end] of ends) if (end.place === place) hub.close(id);
  },
};
