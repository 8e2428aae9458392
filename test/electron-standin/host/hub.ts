/** A process with ends of port pairs: this process, a page or a utility process. */
export interface PortHost {
  deliver(id: string, data: unknown): void;
  closed(id: string): void;
}

interface End {
  readonly peer: string;
  readonly host: PortHost;
}

/** The ends of all port pairs. Every message passes through the hub in the main process. */
const ends = new Map<string, End>();

export const hub = {
  pair(first: string, firstHost: PortHost, second: string, secondHost: PortHost): void {
    ends.set(first, { peer: second, host: firstHost });
    ends.set(second, { peer: first, host: secondHost });
  },
  move(id: string, host: PortHost): void {
    const end = ends.get(id);
    if (!end) throw new Error("This port was already passed on or closed.");
    ends.set(id, { ...end, host });
  },
  post(from: string, data: unknown): void {
    const peer = ends.get(from)?.peer;
    if (peer !== undefined) ends.get(peer)?.host.deliver(peer, data);
  },
  close(id: string): void {
    const end = ends.get(id);
    if (!end) return;
    ends.delete(id);
    const other = ends.get(end.peer);
    ends.delete(end.peer);
    other?.host.closed(end.peer);
  },
  /** Closes all ports of a page that was left or of an ended process. */
  closeAll(host: PortHost): void {
    for (const [id, end] of ends) if (end.host === host) hub.close(id);
  },
};
