"""Long-running work: jobs with progress and cancel, and what they run."""

from dpdesk.engine.jobs import (
    Event,
    Failed,
    Finished,
    Job,
    Progress,
    Started,
    Stopped,
    Tracker,
    Warned,
    untracked,
)
from dpdesk.engine.sanitize import sanitize
