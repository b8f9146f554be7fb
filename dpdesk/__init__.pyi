from dpdesk.interface import (
    Estimates as Estimates,
)
from dpdesk.interface import (
    check as check,
)
from dpdesk.interface import (
    coarsen as coarsen,
)
from dpdesk.interface import (
    draft as draft,
)
from dpdesk.interface import (
    estimate as estimate,
)
from dpdesk.interface import (
    experiment as experiment,
)
from dpdesk.interface import (
    learn as learn,
)
from dpdesk.interface import (
    query as query,
)
from dpdesk.interface import (
    read as read,
)
from dpdesk.interface import (
    release as release,
)
from dpdesk.interface import (
    risk as risk,
)
from dpdesk.interface import (
    survey as survey,
)

__version__: str
